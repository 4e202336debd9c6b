/**
 * An exact, non-negative fraction. With it tests calculate what the product calculates with
 * fixed-scale integers, so that an error in a scale or a rounding is not made twice.
 */
export class Fraction {
  readonly #numerator: bigint
  readonly #denominator: bigint

  constructor(numerator: bigint, denominator = 1n) {
    if (numerator < 0n || denominator <= 0n) throw new Error('A fraction is not negative.')
    this.#numerator = numerator
    this.#denominator = denominator
  }

  /** What is so many units of a hundredth, a thousandth, … : `scaled(150n, 2)` is 1.5. */
  static scaled(units: bigint, decimals: number): Fraction {
    return new Fraction(units, BigInt(`1${'0'.repeat(decimals)}`))
  }

  plus(other: Fraction): Fraction {
    return new Fraction(
      this.#numerator * other.#denominator + other.#numerator * this.#denominator,
      this.#denominator * other.#denominator,
    )
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.#numerator * other.#numerator, this.#denominator * other.#denominator)
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.#numerator * other.#denominator, this.#denominator * other.#numerator)
  }

  isAtLeast(other: Fraction): boolean {
    return this.#numerator * other.#denominator >= other.#numerator * this.#denominator
  }

  equals(other: Fraction): boolean {
    return this.isAtLeast(other) && other.isAtLeast(this)
  }

  /** The whole units of this much, of which there are ten to the power of `decimals` in one. */
  wholeUnits(decimals: number): bigint {
    return (this.#numerator * BigInt(`1${'0'.repeat(decimals)}`)) / this.#denominator
  }
}
