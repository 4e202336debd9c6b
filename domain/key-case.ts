/** The database, the wire and files write names in `snake_case`, the code in `camelCase`. */

type CamelCase<Name> = Name extends `${infer Head}_${infer Letter}${infer Tail}`
  ? `${Head}${Uppercase<Letter>}${CamelCase<Tail>}`
  : Name

type SnakeCase<Name> = Name extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : Name

export type CamelKeys<Row> = { [Key in keyof Row as CamelCase<Key>]: Row[Key] }
export type SnakeKeys<Row> = { [Key in keyof Row as SnakeCase<Key>]: Row[Key] }

/** A row with its own keys in `camelCase`; what is inside its values stays as it is. */
export function camelKeys<Row extends object>(row: Row): CamelKeys<Row> {
  const entries = Object.entries(row).map(([key, value]) => [
    key.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    value as unknown,
  ])
  return Object.fromEntries(entries) as CamelKeys<Row>
}

/** A key in `snake_case`. */
export function snakeKey(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
