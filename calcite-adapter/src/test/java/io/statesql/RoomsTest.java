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

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The packages of the adapter are rooms whose doors open one way, as their class files say. */
class RoomsTest {

  /** Those in Calcite's own packages, which its constructors force there, belong to the driver. */
  private static final SliceAssignment BY_PACKAGE =
      new SliceAssignment() {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
          String name = javaClass.getPackageName();
          return name.equals("org.apache.calcite.jdbc")
              ? SliceIdentifier.of("io.statesql.jdbc")
              : SliceIdentifier.of(name);
        }

        @Override
        public String getDescription() {
          return "packages";
        }
      };

  @Test
  void noPackageKnowsItselfByWayOfOthers() {
    slices()
        .assignedFrom(BY_PACKAGE)
        .should()
        .beFreeOfCycles()
        .check(new ClassFileImporter().importPath(Path.of("target", "classes")));
  }
}
