/** A part of a sale file that contradicts what has happened: where, and what was expected there. */
export type HistoryFault = { path: string; message: string }
