/** Lets a small button stand in the line of a table’s row, its text below the header. */
export const inTable = '-my-2 max-sm:-mr-3 sm:-ml-3'
