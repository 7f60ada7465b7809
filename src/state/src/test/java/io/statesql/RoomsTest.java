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
package io.statesql;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.graph.GraphBuilder;
import com.google.common.graph.Graphs;
import com.google.common.graph.MutableGraph;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The packages of the core are rooms whose doors open one way, as their class files say. */
class RoomsTest {
  private static final String ROOT = RoomsTest.class.getPackageName();

  private static final JavaClasses CORE =
      new ClassFileImporter().importPath(Path.of("target", "classes"));

  private static final SliceAssignment BY_PACKAGE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
          return SliceIdentifier.of(javaClass.getPackageName());
        }

        @Override
        public String getDescription() {
          return "packages";
        }
      };

  @Test
  void noPackageKnowsItselfByWayOfOthers() {
    slices().assignedFrom(BY_PACKAGE).should().beFreeOfCycles().check(CORE);
  }

  @Test
  void theCoreKnowsNoEngineAndNoServer() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.calcite..", "org.eclipse.jetty..", "java.net.http..", "com.sun.net..")
        .check(CORE);
  }

  @Test
  void theDrawingShowsWhatTheClassFilesSay() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "architecture.md"), UTF_8);
    Set<String> drawn =
        Pattern.compile("^ +(\\S+) --> (\\S+)$", Pattern.MULTILINE)
            .matcher(page)
            .results()
            .map(MatchResult::group)
            .map(String::strip)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(drawn).isEqualTo(arrows());
  }

  /** The arrows between packages, without those that a longer way says already. */
  private static Set<String> arrows() {
    MutableGraph<String> rooms = GraphBuilder.directed().build();
    for (JavaClass origin : CORE) {
      for (Dependency dependency : origin.getDirectDependenciesFromSelf()) {
        String from = origin.getPackageName();
        String to = dependency.getTargetClass().getPackageName();
        if (to.startsWith(ROOT) && !to.equals(ROOT) && !from.equals(ROOT) && !from.equals(to)) {
          rooms.putEdge(from, to);
        }
      }
    }
    return rooms.edges().stream()
        .filter(
            edge ->
                rooms.successors(edge.source()).stream()
                    .filter(next -> !next.equals(edge.target()))
                    .noneMatch(next -> Graphs.reachableNodes(rooms, next).contains(edge.target())))
        .map(edge -> name(edge.source()) + " --> " + name(edge.target()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(String room) {
    return room.substring(ROOT.length() + 1);
  }
}
