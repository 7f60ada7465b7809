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
package io.statesql.server.state;

import io.statesql.StateSqlException;
import io.statesql.coordinator.http.BodyReader;
import io.statesql.coordinator.http.Refusal;
import io.statesql.coordinator.http.Reply;
import io.statesql.coordinator.wire.Json;
import io.statesql.entry.StoredEntry;
import io.statesql.schema.MountMoves;
import io.statesql.server.Limits;
import io.statesql.server.RunningStatements;
import io.statesql.server.ServerConfig;
import io.statesql.server.User;
import io.statesql.snapshot.Bytes;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Serves single entries of state below {@value StatePath#PREFIX}, and what became of changes below
 * {@value #COMMITS}; leaves every other path to the handlers after it. Expects the {@link User} as
 * an attribute of the request.
 *
 * <p>A read is answered by the thread that brought it. A change is read, and answered, without a
 * thread that waits for the client or for the commit.
 */
public final class StateHandler extends Handler.Abstract implements Closeable {
  static final String COMMITS = "/state-commits/";

  private static final long BODY_SECONDS = 30;
  private static final long EXPIRY_SECONDS = 60;
  private static final byte[] NO_BODY = new byte[0];

  private final StateMounts mounts;
  private final StateReads reads;
  private final StateCommits commits;
  private final Limits limits;
  private final RunningStatements running;
  private final Consumer<User> changePolicy;
  private final BodyReader.Limit bodyLimit;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "state-timer");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * Opens the mounts.
   *
   * @param moves where commits move the mounts, of whoever makes them
   * @param running what users do now
   * @param changePolicy throws if a user may not change state
   * @throws io.statesql.StateSqlException if a mount cannot be opened
   */
  public StateHandler(
      ServerConfig config,
      MountMoves moves,
      RunningStatements running,
      Consumer<User> changePolicy) {
    this.limits = config.limits();
    this.running = running;
    this.changePolicy = changePolicy;
    this.mounts = new StateMounts(config, moves);
    this.reads = new StateReads(limits.statementSeconds());
    this.commits = new StateCommits(mounts, reads, limits.stopSeconds());
    this.bodyLimit =
        new BodyReader.Limit(
            limits.requestBytes(),
            TimeUnit.SECONDS.toMillis(BODY_SECONDS),
            new Refusal(413, "A value may have " + limits.requestBytes() + " bytes at most."));
    var unused =
        timer.scheduleWithFixedDelay(
            () -> mounts.all().forEach(MountedState::expire),
            EXPIRY_SECONDS,
            EXPIRY_SECONDS,
            TimeUnit.SECONDS);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    // As it was sent: encoded slashes and dots are parts of names here.
    String path = request.getHttpURI().getPath();
    boolean isCommit = path.startsWith(COMMITS);
    if (!isCommit && !path.startsWith(StatePath.PREFIX)) {
      return false;
    }
    long millis = TimeUnit.SECONDS.toMillis(limits.statementSeconds() + BODY_SECONDS + 1);
    Reply reply = new Reply(request, response, callback, millis);
    try {
      String method = request.getMethod();
      boolean isRead = method.equals("GET") || method.equals("HEAD");
      if (isCommit && isRead) {
        poll(path.substring(COMMITS.length()), user(request), reply);
      } else if (isRead) {
        read(path, request, reply);
      } else if (!isCommit && (method.equals("PUT") || method.equals("DELETE"))) {
        change(path, request, reply);
      } else {
        String allowed = isCommit ? "GET, HEAD" : "GET, HEAD, PUT, DELETE";
        response.getHeaders().put(HttpHeader.ALLOW, allowed);
        throw new RefusedRequestException(405, "This path takes " + allowed + ".");
      }
    } catch (RuntimeException e) {
      reply.refuse(Failures.ofRead(e));
    }
    return true;
  }

  private static User user(Request request) {
    return (User) request.getAttribute(User.class.getName());
  }

  private void poll(String id, User user, Reply reply) {
    CommitOutcome outcome = commits.find(ChangeHeaders.checkId(id), user);
    boolean isKnown = outcome.status() != CommitOutcome.Status.ABSENT;
    reply.answer(isKnown ? 200 : 404, Map.of(), Representation.JSON_TYPE, Json.write(outcome));
  }

  private void read(String path, Request request, Reply reply) {
    StatePath address = StatePath.parse(path, request.getHttpURI().getQuery());
    AcceptedTypes accepted = AcceptedTypes.of(request);
    Preconditions conditions = Preconditions.of(request);
    var permit = running.start(user(request));
    try {
      MountedState mount = mount(address);
      show(reads.read(text(address, mount), mount.store()), accepted, conditions, reply);
    } finally {
      permit.close();
    }
  }

  private static void show(
      StoredEntry entry, AcceptedTypes accepted, Preconditions conditions, Reply reply) {
    EntityTag tag = EntityTag.of(entry);
    if (!conditions.matches(Optional.of(tag))) {
      throw new RefusedRequestException(412, "The entry is not as If-Match wants it.");
    }
    Representation shown = Representation.of(entry, accepted);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("ETag", tag.header(shown.form()));
    headers.put("Vary", "Accept");
    headers.put("Cache-Control", "no-cache");
    if (conditions.isKnown(Optional.of(tag))) {
      reply.answer(304, headers, shown.contentType(), NO_BODY);
    } else {
      reply.answer(200, headers, shown.contentType(), shown.body().toByteArray());
    }
  }

  private MountedState mount(StatePath path) {
    if (path.mount().isPresent()) {
      String name = path.mount().get();
      return mounts
          .find(name)
          .orElseThrow(
              () ->
                  new RefusedRequestException(
                      404, "Nothing is mounted as " + Reply.printable(name) + "."));
    }
    return mounts.find(path.first()).orElseGet(mounts::current);
  }

  private static EntryAddressText text(StatePath path, MountedState mount) {
    boolean namesMount = path.mount().isEmpty() && path.first().equals(mount.catalog());
    return namesMount
        ? new EntryAddressText(path.first(), path.second(), path.third(), path.fourth())
        : EntryAddressText.ofFunction(
            mount.catalog(), path.first(), path.second(), path.third(), path.fourth());
  }

  private void change(String path, Request request, Reply reply) {
    User user = user(request);
    checkMayChange(user);
    StatePath address = StatePath.parse(path, request.getHttpURI().getQuery());
    MountedState mount = mount(address);
    ChangeHeaders headers = ChangeHeaders.of(request);
    boolean isDelete = request.getMethod().equals("DELETE");
    String text = request.getMethod() + " " + path;
    BodyReader.BodyTaker taker =
        (body, length) ->
            submit(
                new ChangeRequest(
                    headers.id(),
                    user,
                    text,
                    text(address, mount),
                    isDelete,
                    headers.conditions(),
                    headers.contentType(),
                    Bytes.copyOf(Arrays.copyOf(body, length))),
                mount,
                headers,
                reply);
    if (isDelete) {
      taker.handle(NO_BODY, 0);
      return;
    }
    if (request.getLength() > bodyLimit.bytes()) {
      throw new RefusedRequestException(413, bodyLimit.refusal().reason());
    }
    BodyReader.read(request, reply, bodyLimit, taker);
  }

  private void checkMayChange(User user) {
    try {
      changePolicy.accept(user);
    } catch (StateSqlException e) {
      throw new RefusedRequestException(403, e.getMessage(), e);
    }
  }

  private void submit(
      ChangeRequest request, MountedState mount, ChangeHeaders headers, Reply reply) {
    PendingChange change;
    try {
      change = commits.submit(request, mount, headers.isIdChosen());
    } catch (RuntimeException e) {
      reply.refuse(Failures.ofChange(e));
      return;
    }
    if (headers.isAsync()) {
      answer(CommitOutcome.pending(request.id()), true, reply);
      return;
    }
    ScheduledFuture<?> tooLong =
        timer.schedule(
            () -> answer(CommitOutcome.pending(request.id()), false, reply),
            limits.statementSeconds(),
            TimeUnit.SECONDS);
    var unused =
        change
            .outcome()
            .thenAccept(
                outcome -> {
                  tooLong.cancel(false);
                  answer(outcome, false, reply);
                });
  }

  private static void answer(CommitOutcome outcome, boolean isAsync, Reply reply) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Location", COMMITS + outcome.commit());
    if (isAsync) {
      headers.put("Preference-Applied", "respond-async");
    }
    if (outcome.etag() != null) {
      headers.put("ETag", outcome.etag());
    }
    reply.answer(outcome.code(), headers, Representation.JSON_TYPE, Json.write(outcome));
  }

  /** Takes no changes any more, waits a while for those that are there, and ends the others. */
  public void endChanges() {
    commits.close();
  }

  /** Closes the mounts, when nobody asks for entries any more. */
  @Override
  public void close() throws IOException {
    timer.shutdownNow();
    mounts.close();
  }
}
