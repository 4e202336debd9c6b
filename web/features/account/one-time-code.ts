/** A code as it is sent, however it was typed: apps show it in two groups, people add a space. */
export function codeOf(typed: string): string {
  return typed.replace(/\s/g, '')
}
