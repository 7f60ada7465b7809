/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file
 * except in compliance with the License. You may obtain a copy of the License at
 *
 *     https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software distributed under the
 * License is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND,
 * either express or implied. See the License for the specific language governing permissions
 * and limitations under the License.
 */
package io.statesql.clients;

import static org.assertj.core.api.Assertions.assertThat;

import com.lowagie.text.pdf.PdfReader;
import com.lowagie.text.pdf.parser.PdfTextExtractor;
import io.statesql.server.ServerConfig;
import io.statesql.server.StateSqlServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.sf.jasperreports.engine.JasperCompileManager;
import net.sf.jasperreports.engine.JasperExportManager;
import net.sf.jasperreports.engine.JasperFillManager;
import net.sf.jasperreports.engine.JasperReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JasperReports makes a PDF of {@code keyed_state}, over the remote driver. */
@Tag("proof")
class JasperReportsTest {
  private static final String ORDERS =
      Path.of("../../sql-examples/snapshots/orders").toAbsolutePath().normalize().toString();

  @ParameterizedTest
  @ValueSource(strings = {"protobuf", "json"})
  void keyedStateIsAReport(String serialization) throws Exception {
    byte[] pdf;
    try (StateSqlServer server =
            StateSqlServer.start(
                ServerConfig.read(null, Map.of("port", 0, "snapshots", List.of(ORDERS))));
        Connection connection =
            DriverManager.getConnection(
                "jdbc:avatica:remote:url=" + server.url() + ";serialization=" + serialization);
        InputStream source = getClass().getResourceAsStream("orders-per-customer.jrxml")) {
      JasperReport report = JasperCompileManager.compileReport(source);
      pdf =
          JasperExportManager.exportReportToPdf(
              JasperFillManager.fillReport(report, new HashMap<>(Map.of("least", 9L)), connection));
    }
    assertThat(text(pdf))
        .contains("Orders per customer")
        .contains("customer 3", "9 orders")
        .doesNotContain("customer 0", "8 orders")
        .contains("Sum: 36 orders");
  }

  private static String text(byte[] pdf) throws IOException {
    try (PdfReader reader = new PdfReader(pdf)) {
      return new PdfTextExtractor(reader).getTextFromPage(1);
    }
  }
}
