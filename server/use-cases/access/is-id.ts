const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** True for the form of an id; the database refuses to compare one with anything else. */
export function isId(text: string): boolean {
  return ID.test(text)
}
