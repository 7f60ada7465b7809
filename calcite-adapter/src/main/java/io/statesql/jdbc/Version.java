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
package io.statesql.jdbc;

import org.apache.calcite.avatica.DriverVersion;

/** The product's name and version as JDBC shows them. */
final class Version {
  private static final String PRODUCT = "StateSQL";

  private Version() {}

  /** The version in the jar's manifest, or 0.1 where the classes do not come from a jar. */
  static DriverVersion current() {
    String implementation = Version.class.getPackage().getImplementationVersion();
    String version = implementation == null ? "0.1" : implementation;
    String[] parts = version.split("[.-]", -1);
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    return new DriverVersion(
        PRODUCT + " JDBC Driver", version, PRODUCT, version, false, major, minor, major, minor);
  }
}
