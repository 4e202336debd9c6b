/** Fits a small button into the line of a table’s row, with its text below the header. */
export const inTable = '-my-2 max-md:-mr-3 md:-ml-3'
