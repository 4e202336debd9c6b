const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text has the form of an id; the database refuses to compare ids with anything else. */
export function isId(text: string): boolean {
  return ID.test(text)
}
