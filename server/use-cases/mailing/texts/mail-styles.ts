/**
 * A mail's colours, on a light background. They are inline on the elements, because that is what
 * mail programs agree on, each with the colour behind it, for programs that invert colours.
 */
export const colours = {
  page: '#f4f2ee',
  card: '#ffffff',
  line: '#e2ddd4',
  ink: '#1d1a17',
  quiet: '#5f584f',
  /** Behind the logo, which is made for the dark background of the pages. */
  band: '#141210',
  bandInk: '#f2ede3',
  accent: '#ddeb7b',
  accentInk: '#141210',
}

/** Dark colours for mail programs that read style sheets; others use the styles on the elements. */
export const darkStyles =
  '@media (prefers-color-scheme:dark){' +
  '.page{background:#0b0a08!important;color:#f2ede3!important}' +
  '.card{background:#1a1815!important;border-color:#38332c!important;color:#f2ede3!important}' +
  '.quiet{color:#bcb4a8!important}.line{border-color:#38332c!important}' +
  '.action{background:#f2ede3!important}.action a{color:#141210!important}' +
  '.link{color:#f2ede3!important}}'

/** Rows that are too long for a phone put the value below its label. */
export const phoneStyles =
  '@media (max-width:480px){' +
  '.pad{padding-left:16px!important;padding-right:16px!important}' +
  '.long,.long tbody,.long tr,.long td{display:block!important;width:auto!important}' +
  '.long td{text-align:left!important}.long td+td{border-top:0!important;padding-top:0!important}}'

export const sans = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
export const mono = "font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace"
