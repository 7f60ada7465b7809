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
package io.statesql.sql;

import io.statesql.Cancellation;
import io.statesql.ErrorCode;
import io.statesql.StateSqlException;
import io.statesql.sql.parser.StateSqlParserImpl;
import java.io.StringReader;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.avatica.NoSuchStatementException;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * The one place where failures become {@link SQLException}s: the message is one sentence for a
 * user, without nested messages or class names; the SQLState tells the cause; the original failure
 * is the cause of the exception.
 */
public final class SqlErrors {
  private static final Pattern UNEXPECTED_TOKEN =
      Pattern.compile(
          "(?:Encountered \"+|Incorrect syntax near the keyword ')(.*?)(?:\"+|') at line \\d+, column \\d+",
          Pattern.DOTALL);
  private static final Pattern LEXICAL_ERROR =
      Pattern.compile(
          "Lexical error at line (\\d+), column (\\d+)\\. *Encountered: (.*?),? *after.*",
          Pattern.DOTALL);

  /** The parser's word for a statement that is neither a query nor anything that it refuses. */
  private static final Pattern NO_QUERY =
      Pattern.compile("Non-query expression .*", Pattern.DOTALL);

  /** {@link Integer#parseInt} and its kin. */
  private static final Pattern NO_NUMBER = Pattern.compile("For input string: \"(.*)\"(?: .*)?");

  /** Avatica's words for a parameter that was not set. */
  private static final Pattern UNBOUND = Pattern.compile("(?:.*: )?unbound parameter");

  /** Avatica's words for a statement that another thread ended. */
  private static final Pattern CANCELED =
      Pattern.compile(".*[Cc]ancel+ed.*|Statement closed", Pattern.DOTALL);

  private static final Pattern INVALID_DATETIME =
      Pattern.compile("Invalid (DATE|TIME|TIMESTAMP) value.*", Pattern.DOTALL);

  private static final String OURS = "io.statesql.";

  /** Those of our classes that have to be in a package of Calcite's. */
  private static final String OURS_IN_CALCITE = "org.apache.calcite.jdbc.StateSql";

  /** The package of Calcite's SQL functions. */
  private static final String SQL_FUNCTIONS = "org.apache.calcite.runtime.";

  /** The package of the library that Calcite's JSON functions leave paths to. */
  private static final String JSON_PATHS = "com.jayway.jsonpath.";

  /** What the compiler of generated code throws, which is no dependency of ours. */
  private static final String DOES_NOT_COMPILE = "org.codehaus.commons.compiler.CompileException";

  /** What it throws if the code does not fit into a class file. */
  private static final String TOO_LONG_TO_COMPILE =
      "org.codehaus.commons.compiler.InternalCompilerException";

  /** What Calcite says when a conversion did not keep to the types that were found valid. */
  private static final String OTHER_TYPES = "Conversion to relational algebra failed";

  private static final String NOT_JSON = JSON_PATHS + "InvalidJsonException";

  /** Some of the words that a statement may begin with, and nothing else. */
  private static final Set<String> FIRST_WORDS = Set.of("EXPLAIN", "UPSERT", "DELETE");

  private static final int MAX_CAUSES = 50;

  private SqlErrors() {}

  /** What may fail: running a statement. */
  @FunctionalInterface
  public interface Action<T, E extends Exception> {
    T run() throws SQLException, E;
  }

  /**
   * Runs an action and translates its failures. Generated code that fails on a constant throws
   * {@link ExceptionInInitializerError}; Calcite and Avatica throw {@link AssertionError}, also for
   * a statement that another thread has closed.
   *
   * @throws E what the caller handles itself
   */
  public static <T, E extends Exception> T translating(Action<T, E> action) throws SQLException, E {
    try {
      return action.run();
    } catch (RuntimeException
        | SQLException
        | AssertionError
        | ExceptionInInitializerError
        | StackOverflowError e) {
      throw translate(e);
    }
  }

  /**
   * The same for a statement that may be ended meanwhile: it is told that, and not what it stumbled
   * over because of it.
   *
   * @throws E what the caller handles itself
   */
  public static <T, E extends Exception> T translating(
      Cancellation cancellation, Action<T, E> action) throws SQLException, E {
    try {
      return translating(action);
    } catch (SQLException e) {
      String state = e.getSQLState();
      if (state == null || state.equals(ErrorCode.INTERNAL_ERROR.sqlState())) {
        try {
          cancellation.check();
        } catch (StateSqlException ended) {
          ended.addSuppressed(e);
          throw translate(ended);
        }
      }
      throw e;
    }
  }

  /** Translates a failure; an exception that this class made comes back as it is. */
  public static SQLException translate(Throwable failure) {
    if (failure instanceof Translated translated) {
      return translated;
    }
    List<Throwable> causes = causes(failure);
    for (Throwable cause : causes) {
      if (cause instanceof Translated translated) {
        return translated;
      }
    }
    for (Throwable cause : causes) {
      SQLException translated = translateKnown(cause, causes, failure);
      if (translated != null) {
        return translated;
      }
    }
    Throwable last = causes.get(causes.size() - 1);
    if (last instanceof SQLException driverFailure && driverFailure.getMessage() != null) {
      ErrorCode code =
          CANCELED.matcher(driverFailure.getMessage()).matches()
              ? ErrorCode.CANCELED
              : ErrorCode.INVALID_STATEMENT;
      String state =
          driverFailure.getSQLState() == null ? code.sqlState() : driverFailure.getSQLState();
      return new Translated(sentence(driverFailure.getMessage()), state, failure);
    }
    return error(
        ErrorCode.INTERNAL_ERROR,
        "An internal error of StateSQL stopped the statement; please report it with the statement.",
        failure);
  }

  private static SQLException translateKnown(
      Throwable cause, List<Throwable> causes, Throwable failure) {
    if (cause instanceof StateSqlException known) {
      return new Translated(position(causes) + known.getMessage(), known.sqlState(), failure);
    }
    // That of a parser whose stack overflowed has no message; its cause is told.
    if (cause instanceof SqlParseException parse && parse.getMessage() != null) {
      return error(ErrorCode.INVALID_STATEMENT, syntaxError(parse), failure);
    }
    if (cause instanceof CalciteContextException context && !hasStateSqlCause(context)) {
      String message =
          context.getCause() == null ? context.getMessage() : context.getCause().getMessage();
      return error(ErrorCode.INVALID_STATEMENT, position(context) + sentence(message), failure);
    }
    if (cause instanceof ArithmeticException arithmetic) {
      return arithmetic(arithmetic, failure);
    }
    Matcher noNumber = NO_NUMBER.matcher(String.valueOf(cause.getMessage()));
    if (cause instanceof NumberFormatException && noNumber.matches()) {
      return error(
          ErrorCode.INVALID_VALUE,
          "The text '%s' is not a number; a number to compare text with needs single quotes."
              .formatted(noNumber.group(1)),
          failure);
    }
    if (cause instanceof NumberFormatException || cause instanceof DateTimeException) {
      return error(
          ErrorCode.INVALID_VALUE,
          "A text cannot be converted: " + sentence(cause.getMessage()),
          failure);
    }
    if (cause instanceof IllegalArgumentException
        && INVALID_DATETIME.matcher(String.valueOf(cause.getMessage())).matches()) {
      return error(ErrorCode.INVALID_VALUE, sentence(cause.getMessage()), failure);
    }
    if (cause instanceof IllegalArgumentException && isThrownByFunction(cause)) {
      return error(ErrorCode.INVALID_ARGUMENT, sentence(cause.getMessage()), failure);
    }
    if (cause instanceof IllegalStateException
        && String.valueOf(cause.getMessage()).startsWith("more than one value in agg")) {
      return error(
          ErrorCode.MANY_ROWS, "A subquery in place of a value has more than one row.", failure);
    }
    if (cause.getClass().getName().equals(DOES_NOT_COMPILE)) {
      return error(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "This query is of a form that cannot be run: a function or operator in it does not take values of these types.",
          failure);
    }
    if (cause.getClass().getName().equals(TOO_LONG_TO_COMPILE)) {
      return error(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "The statement is too long to be run: it has too many expressions; make several statements of it.",
          failure);
    }
    if (cause.getClass().getName().startsWith(JSON_PATHS)) {
      return error(
          ErrorCode.INVALID_VALUE,
          cause.getClass().getName().equals(NOT_JSON)
              ? "A text that should be JSON is not."
              : "A JSON function fails: " + sentence(cause.getMessage()),
          failure);
    }
    if (isThrownByFunction(cause)
        && (cause instanceof NullPointerException || cause instanceof IndexOutOfBoundsException)) {
      return error(
          ErrorCode.INVALID_ARGUMENT,
          "The function %s does not take one of its values."
              .formatted(UnrunnableCalls.function(cause)),
          failure);
    }
    if (cause instanceof AssertionError
        && String.valueOf(cause.getMessage()).startsWith(OTHER_TYPES)) {
      return error(
          ErrorCode.UNSUPPORTED_STATEMENT,
          "The values of an expression are of types that do not go together; write CAST.",
          failure);
    }
    if (cause instanceof NoSuchStatementException) {
      return error(ErrorCode.CANCELED, "The statement is closed.", failure);
    }
    if (cause instanceof StackOverflowError) {
      return error(
          ErrorCode.INVALID_STATEMENT,
          "The statement is nested too deeply, or has too many operators in a row.",
          failure);
    }
    if (isUnimplemented(cause)
        && !hasStateSqlCause(cause)
        && Arrays.stream(cause.getSuppressed()).noneMatch(SqlErrors::isDefect)) {
      return error(ErrorCode.UNSUPPORTED_STATEMENT, UnrunnableCalls.reason(cause), failure);
    }
    if (cause instanceof RelOptPlanner.CannotPlanException
        || (cause instanceof UnsupportedOperationException && !isDefect(cause))) {
      return error(
          ErrorCode.UNSUPPORTED_STATEMENT, "This query is of a form that cannot be run.", failure);
    }
    if (cause instanceof RuntimeException
        && UNBOUND.matcher(String.valueOf(cause.getMessage())).matches()) {
      return error(
          ErrorCode.MISSING_PARAMETER,
          "A parameter of the statement has no value; set each before the statement is executed.",
          failure);
    }
    if (cause instanceof CalciteException calcite && cause.getCause() == null) {
      return error(ErrorCode.INVALID_VALUE, sentence(calcite.getMessage()), failure);
    }
    return null;
  }

  /** Whether Calcite failed on a statement that it should have taken or refused. */
  static boolean isStumble(Throwable failure) {
    return !(failure instanceof CalciteContextException)
        && !(failure instanceof CalciteException)
        && !hasStateSqlCause(failure)
        && !isDefect(failure);
  }

  /** Whether our own code failed, or the JDK that it called. */
  private static boolean isDefect(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !name.startsWith("java."))
        .findFirst()
        .filter(name -> name.startsWith(OURS) || name.startsWith(OURS_IN_CALCITE))
        .isPresent();
  }

  /**
   * Whether a SQL function does not take its argument, as the logarithm of 0: one of Calcite's, or
   * one of the JDK that these or generated code, whose classes have no package, call.
   */
  private static boolean isThrownByFunction(Throwable failure) {
    return Arrays.stream(failure.getStackTrace())
        .map(StackTraceElement::getClassName)
        .filter(name -> !name.startsWith("java."))
        .findFirst()
        .filter(name -> name.startsWith(SQL_FUNCTIONS) || name.indexOf('.') < 0)
        .isPresent();
  }

  private static boolean hasStateSqlCause(Throwable failure) {
    return causes(failure).stream().anyMatch(StateSqlException.class::isInstance);
  }

  private static SQLException arithmetic(ArithmeticException failure, Throwable original) {
    String message = String.valueOf(failure.getMessage());
    // A JVM that has compiled a division leaves the message out.
    if (failure.getMessage() == null
        || message.contains("by zero")
        || message.contains("undefined")) {
      return error(ErrorCode.DIVISION_BY_ZERO, "A number is divided by zero.", original);
    }
    return error(
        ErrorCode.NUMERIC_OVERFLOW,
        "A number is beyond the range of its type: " + sentence(message),
        original);
  }

  private static String syntaxError(SqlParseException parse) {
    String message = parse.getMessage();
    Matcher lexical = LEXICAL_ERROR.matcher(message);
    if (lexical.find()) {
      return "Line %s, column %s: syntax error at the character %s."
          .formatted(lexical.group(1), lexical.group(2), lexical.group(3));
    }
    SqlParserPos pos = parse.getPos();
    String position =
        pos == null ? "" : "Line %d, column %d: ".formatted(pos.getLineNum(), pos.getColumnNum());
    Set<String> expected = expectedTokens(parse);
    if (NO_QUERY.matcher(message).matches() || expected.containsAll(FIRST_WORDS)) {
      return position
          + "this is no statement of StateSQL: use SELECT, VALUES, WITH, EXPLAIN PLAN FOR, SHOW, DESCRIBE, USE, INSERT, UPSERT, UPDATE, DELETE or DROP SCHEMA.";
    }
    Matcher token = UNEXPECTED_TOKEN.matcher(message);
    if (!token.find()) {
      return position + sentence(firstLine(message));
    }
    if (token.group(1).endsWith("<EOF>")) {
      return position + "syntax error: the statement ends too soon.";
    }
    String word = token.group(1).strip();
    return position + "syntax error near '" + word + "'" + hint(word, expected) + ".";
  }

  /** What the parser would have taken: words in capitals, kinds of tokens in angle brackets. */
  private static Set<String> expectedTokens(SqlParseException parse) {
    return parse.getExpectedTokenNames().stream()
        .map(name -> name.replace("\"", "").toUpperCase(Locale.ROOT))
        .collect(Collectors.toSet());
  }

  private static boolean isReserved(String word) {
    return StateSqlParserImpl.FACTORY
        .getParser(new StringReader(""))
        .getMetadata()
        .isReservedWord(word.toUpperCase(Locale.ROOT));
  }

  /** What the user may have meant by a token that the parser did not expect. */
  private static String hint(String token, Set<String> expected) {
    if (token.equals("-")) {
      return "; a name with a dash needs double quotes";
    }
    if (expected.contains("<QUOTED_IDENTIFIER>") && isReserved(token)) {
      return "; a name spelled like a reserved word needs double quotes";
    }
    if (expected.contains("MINUTE") && !expected.contains("<QUOTED_IDENTIFIER>")) {
      return "; an interval is written as in INTERVAL '30' DAY";
    }
    return expected.size() == 1 ? "; expected " + expected.iterator().next() : "";
  }

  /** Where the failure lies in the text, or nothing. */
  private static String position(List<Throwable> causes) {
    Optional<CalciteContextException> context =
        causes.stream()
            .filter(CalciteContextException.class::isInstance)
            .map(CalciteContextException.class::cast)
            .findFirst();
    return context.map(SqlErrors::position).orElse("");
  }

  private static String position(CalciteContextException context) {
    return context.getPosLine() > 0
        ? "Line %d, column %d: ".formatted(context.getPosLine(), context.getPosColumn())
        : "";
  }

  private static SQLException error(ErrorCode code, String message, Throwable cause) {
    return new Translated(message, code.sqlState(), cause);
  }

  private static String sentence(String message) {
    String text = message == null ? "no details" : firstLine(message).strip();
    return text.endsWith(".") || text.endsWith("?") ? text : text + ".";
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("");
  }

  /** A failure and its causes from the outside in; a chain that bites its tail ends. */
  private static List<Throwable> causes(Throwable failure) {
    var causes = new ArrayList<Throwable>();
    for (Throwable cause = failure;
        cause != null && causes.size() < MAX_CAUSES;
        cause = cause(cause)) {
      causes.add(cause);
    }
    return causes;
  }

  /** Calcite's generator of code keeps what ended it, a cancellation too, as suppressed. */
  private static @Nullable Throwable cause(Throwable failure) {
    return failure.getCause() == null && isUnimplemented(failure)
        ? Arrays.stream(failure.getSuppressed()).findFirst().orElse(null)
        : failure.getCause();
  }

  private static boolean isUnimplemented(Throwable failure) {
    return failure instanceof IllegalStateException
        && String.valueOf(failure.getMessage()).startsWith("Unable to implement");
  }

  /** What {@link #translate} made. */
  private static final class Translated extends SQLException {
    private static final long serialVersionUID = 1L;

    Translated(String message, String sqlState, Throwable cause) {
      super(message, sqlState, cause);
    }
  }
}
