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
package io.statesql.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a server is told, by a configuration file in YAML or JSON with these names, and by a command
 * line. Immutable.
 *
 * @param host the name or address of the interface to listen on
 * @param port 0 for a free one
 * @param mounts paths of snapshots or root folders by the names of their catalogs
 * @param snapshots more of them, each {@code PATH} or {@code NAME=PATH}; these come first
 * @param uids names for operators of which a snapshot holds the id only
 * @param pathMap where files are now, by where {@code _metadata} says that they are
 * @param jars jar files of the job, whose classes are loaded where values or keys need them
 * @param isolate whether native code reads RocksDB files in processes of its own, for snapshots
 *     that are not trusted
 * @param memory what reading one table may take of the heap, as {@code 512m}; null for a sixteenth
 * @param parallelism how many threads read a table; null for as many as there are cores
 * @param writable whether statements may change state
 * @param commitTo the folder for modified savepoints, or null for beside their sources
 * @param users who may connect; nobody is asked if there are none
 * @param open whether a server without users may listen beyond this machine
 * @param allowHosts names of this machine that clients use beside {@code host} and addresses
 * @param tls the certificate, or null for plain HTTP
 * @param coordinator the secrets of the coordinator on the same port
 * @param limits what clients may take
 */
public record ServerConfig(
    String host,
    int port,
    Map<String, String> mounts,
    List<String> snapshots,
    List<String> uids,
    Map<String, String> pathMap,
    List<String> jars,
    boolean isolate,
    @Nullable String memory,
    @Nullable String parallelism,
    boolean writable,
    @Nullable String commitTo,
    List<UserEntry> users,
    boolean open,
    List<String> allowHosts,
    @Nullable Tls tls,
    CoordinatorTokens coordinator,
    Limits limits) {
  /** The port unless another is asked for. */
  public static final int DEFAULT_PORT = 8765;

  /** What holds where nothing is said; it mounts nothing. */
  public static final ServerConfig DEFAULT =
      new ServerConfig(
          "localhost",
          DEFAULT_PORT,
          Map.of(),
          List.of(),
          List.of(),
          Map.of(),
          List.of(),
          false,
          null,
          null,
          false,
          null,
          List.of(),
          false,
          List.of(),
          null,
          new CoordinatorTokens(null, null),
          Limits.DEFAULT);

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();
  private static final Pattern CATALOG = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");

  /**
   * A user.
   *
   * @param password as {@link PasswordHash} writes it
   */
  public record UserEntry(String name, String password, Role role) {
    public UserEntry {
      if (name == null || name.isEmpty() || name.indexOf(':') >= 0) {
        throw new IllegalArgumentException("a user needs a name without colons");
      }
      if (password == null || role == null) {
        throw new IllegalArgumentException("the user " + name + " needs a password and a role");
      }
      PasswordHash.parse(password);
    }
  }

  /**
   * Where the server's certificate is: in PEM files, or in a PKCS12 or JKS file.
   *
   * @param certificate a PEM file, the server's own certificate first
   * @param key a PEM file with its private key in PKCS8, without a password
   * @param keystore in place of both
   * @param passwordFile holds the password of the keystore
   */
  public record Tls(
      @Nullable String certificate,
      @Nullable String key,
      @Nullable String keystore,
      @Nullable String passwordFile) {
    public Tls {
      boolean isPem = certificate != null && key != null;
      boolean isStore = keystore != null && passwordFile != null;
      if (isPem == isStore) {
        throw new IllegalArgumentException(
            "tls needs either certificate and key, or keystore and passwordFile");
      }
    }
  }

  /**
   * Files with the secrets that the coordinator's messages carry.
   *
   * @param tokenFile null if no secret is needed
   * @param adminTokenFile null if nobody may stop the coordinator
   */
  public record CoordinatorTokens(@Nullable String tokenFile, @Nullable String adminTokenFile) {}

  public ServerConfig {
    mounts = Collections.unmodifiableMap(new LinkedHashMap<>(mounts));
    snapshots = List.copyOf(snapshots);
    uids = List.copyOf(uids);
    pathMap = Map.copyOf(pathMap);
    jars = List.copyOf(jars);
    users = List.copyOf(users);
    allowHosts = List.copyOf(allowHosts);
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException("the port must be 0 to 65535, not " + port);
    }
    for (String name : mounts.keySet()) {
      if (!CATALOG.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "the mount '" + name + "' needs a name of letters, digits, _ and -");
      }
    }
    Set<String> names = new HashSet<>();
    for (UserEntry user : users) {
      if (!names.add(user.name())) {
        throw new IllegalArgumentException("the user " + user.name() + " is there twice");
      }
    }
  }

  /**
   * Reads a configuration.
   *
   * @param file in JSON if its name ends in {@code .json}, else in YAML; null for none
   * @param overrides what the command line says, by the names of this record; wins over the file
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if the file or the command line makes no sense; the message
   *     says where
   */
  public static ServerConfig read(@Nullable Path file, Map<String, Object> overrides)
      throws IOException {
    ObjectNode tree = MAPPER.valueToTree(DEFAULT);
    if (file != null) {
      try {
        overlay(tree, parse(file));
        MAPPER.treeToValue(tree, ServerConfig.class);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(
            "The configuration file " + file + " is wrong: " + reason(e) + ".", e);
      }
    }
    overlay(tree, MAPPER.valueToTree(overrides));
    try {
      return MAPPER.treeToValue(tree, ServerConfig.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(reason(e) + ".", e);
    }
  }

  private static JsonNode parse(Path file) throws IOException {
    ObjectMapper mapper = file.toString().endsWith(".json") ? MAPPER : YAMLMapper.builder().build();
    JsonNode tree = mapper.readTree(Files.readAllBytes(file));
    if (!tree.isObject() && !tree.isMissingNode() && !tree.isNull()) {
      throw new IllegalArgumentException(
          "The configuration file " + file + " must hold names with values.");
    }
    return tree;
  }

  /** Replaces values, and within limits single ones. */
  private static void overlay(ObjectNode tree, JsonNode changes) {
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      JsonNode before = tree.get(change.getKey());
      if (change.getKey().equals("limits") && before instanceof ObjectNode limits) {
        overlay(limits, change.getValue());
      } else {
        tree.set(change.getKey(), change.getValue());
      }
    }
  }

  /** What is wrong and where, without the values in the file. */
  private static String reason(JsonProcessingException e) {
    Throwable cause = e.getCause();
    String text =
        cause instanceof IllegalArgumentException ? cause.getMessage() : e.getOriginalMessage();
    String place =
        e instanceof JsonMappingException mapping
            ? mapping.getPath().stream()
                .map(
                    step ->
                        step.getFieldName() == null
                            ? String.valueOf(step.getIndex())
                            : step.getFieldName())
                .collect(Collectors.joining("."))
            : e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr();
    String line = text.lines().findFirst().orElse("").strip();
    return place.isEmpty() ? line : place + ": " + line;
  }

  /** All mounts in order, each {@code PATH} or {@code NAME=PATH}. */
  public List<String> allMounts() {
    List<String> all = new ArrayList<>(snapshots);
    mounts.forEach((name, path) -> all.add(name + "=" + path));
    return all;
  }
}
