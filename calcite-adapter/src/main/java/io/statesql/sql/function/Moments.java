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
package io.statesql.sql.function;

/**
 * What variances and covariances need of pairs of numbers: their count, means, and the sum of the
 * products of deviations from the means, brought up to date pair by pair as Welford does. Sums of
 * squares, which Calcite takes, lose all digits where numbers are large and close to each other.
 *
 * <p>The nested classes are aggregate functions, whose methods generated code calls.
 */
public class Moments {
  private long count;

  /** The first pair. Others are taken less it, which is exact if they are close. */
  private double firstOrigin;

  private double secondOrigin;
  private double firstMean;
  private double secondMean;
  private double products;

  private Moments() {}

  /** Of no pairs. */
  public static Moments init() {
    return new Moments();
  }

  private Moments plus(double first, double second) {
    if (count == 0) {
      firstOrigin = first;
      secondOrigin = second;
    }
    count++;
    double shifted = second - secondOrigin;
    double deviation = first - firstOrigin - firstMean;
    firstMean += deviation / count;
    secondMean += (shifted - secondMean) / count;
    products += deviation * (shifted - secondMean);
    return this;
  }

  private double ofPopulation() {
    return products / count;
  }

  /** Null for one pair, which says nothing about others. */
  private Double ofSample() {
    return count == 1 ? null : (Double) (products / (count - 1));
  }

  /** Functions of one number, which is both of a pair. */
  public static class OfNumbers extends Moments {
    private OfNumbers() {}

    /** Takes a number in. */
    public static Moments add(Moments moments, double number) {
      return moments.plus(number, number);
    }
  }

  /** Functions of two numbers. */
  public static class OfPairs extends Moments {
    private OfPairs() {}

    /** Takes a pair in. */
    public static Moments add(Moments moments, double first, double second) {
      return moments.plus(first, second);
    }
  }

  /** VAR_POP. */
  public static final class PopulationVariance extends OfNumbers {
    /** The result. */
    public static Double result(Moments moments) {
      return moments.ofPopulation();
    }
  }

  /** VAR_SAMP. */
  public static final class SampleVariance extends OfNumbers {
    /** The result. */
    public static Double result(Moments moments) {
      return moments.ofSample();
    }
  }

  /** STDDEV_POP. */
  public static final class PopulationDeviation extends OfNumbers {
    /** The result. */
    public static Double result(Moments moments) {
      return Math.sqrt(moments.ofPopulation());
    }
  }

  /** STDDEV_SAMP. */
  public static final class SampleDeviation extends OfNumbers {
    /** The result. */
    public static Double result(Moments moments) {
      Double variance = moments.ofSample();
      return variance == null ? null : (Double) Math.sqrt(variance);
    }
  }

  /** COVAR_POP. */
  public static final class PopulationCovariance extends OfPairs {
    /** The result. */
    public static Double result(Moments moments) {
      return moments.ofPopulation();
    }
  }

  /** COVAR_SAMP. */
  public static final class SampleCovariance extends OfPairs {
    /** The result. */
    public static Double result(Moments moments) {
      return moments.ofSample();
    }
  }

  /** REGR_SXX: the squares of the second number, of pairs that have both. */
  public static final class SecondSquares extends Moments {
    /** Takes a pair in. */
    public static Moments add(Moments moments, double first, double second) {
      return moments.plus(second, second);
    }

    /** The result. */
    public static Double result(Moments moments) {
      return moments.products;
    }
  }

  /** REGR_SYY: the squares of the first number, of pairs that have both. */
  public static final class FirstSquares extends Moments {
    /** Takes a pair in. */
    public static Moments add(Moments moments, double first, double second) {
      return moments.plus(first, first);
    }

    /** The result. */
    public static Double result(Moments moments) {
      return moments.products;
    }
  }
}
