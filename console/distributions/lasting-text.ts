import { utcText } from '#console/kit/values.tsx'
import type { DistributionTool } from '#domain/delivery/distribution.ts'
import { toolsWithPages, toolTraits } from '#domain/delivery/tools.ts'

/** What is in the fields of the dialog so far: any of it may be empty. */
type Entered = { url: string; end: string; fromBlock: string }

/** What nobody can change once it is published. */
export function lastingText(tool: DistributionTool, { url, end, fromBlock }: Entered): string {
  const fixed = 'None of this can be changed later.'
  // A contract is read from when its list was made, whatever later block it was made in.
  if (toolTraits[tool].delivers === 'send') {
    return (
      `${fixed} The chain is read from block ${fromBlock || '…'} on, or from when the list was ` +
      'made if that is earlier.'
    )
  }
  const own = toolsWithPages.includes(tool) ? 'at …' : 'on the sale’s own page'
  const place = url === '' ? own : `at ${url}`
  const until = end === '' ? 'with no end' : `until ${endText(end)}`
  return `${fixed} Buyers are told to claim ${place}, ${until}.`
}

/** A field of a browser may have a year of six digits, which is no date. */
function endText(end: string): string {
  return Number.isNaN(Date.parse(`${end}Z`)) ? end : utcText(`${end}Z`)
}
