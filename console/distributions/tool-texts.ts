import type { DistributionTool } from '#domain/delivery/distribution.ts'

export interface ToolText {
  name: string
  /** What it is, in a sentence for somebody who has not used it. */
  what: string
  /** What it costs, and what it cannot do. */
  limits: string
  /** From the file to its publication here. */
  steps: readonly string[]
  /** What the field for the address asks for. */
  contract: string
}

const compareRoot =
  'Compare the root that it shows with the root here, digit by digit. If they differ, the file ' +
  'was changed on its way, for example by a spreadsheet: stop.'

const sablierLimits =
  'Two to a million wallets, in uint128. Buyers pay a claim fee of up to $1.99 in the chain’s coin, and $0.99 to withdraw. Sablier publishes the list of wallets and amounts on IPFS. You can take back what nobody claimed until 7 days after the first claim, and after the end.'

const sablierSteps = (kind: string, more: readonly string[]) => [
  `Open app.sablier.com, Airdrops, “${kind}”, on this chain and with this token.`,
  'Upload the CSV as it was downloaded. Never open and save it in a spreadsheet.',
  compareRoot,
  ...more,
  'Create the campaign, and send exactly the amount here to its contract.',
  'Publish it here with the campaign’s address, its block and the link that Sablier gives.',
]

/** What each tool is, in words for somebody who hands tokens out for the first time. */
export const toolTexts: Record<DistributionTool, ToolText> = {
  sablier_instant: {
    name: 'Sablier, all at once',
    what: 'Buyers claim all that is due from a Sablier contract, whenever they like.',
    limits: sablierLimits,
    steps: sablierSteps('Instant', []),
    contract: 'Address of the campaign',
  },
  sablier_linear: {
    name: 'Sablier, streamed by the second',
    what: 'Buyers claim once and get a stream that releases the rest second by second.',
    limits: `${sablierLimits} On no release day is it behind the calendar that buyers were promised: for that its first part is a little larger. One schedule for everybody.`,
    steps: sablierSteps('Linear', ['Enter the schedule as it is in the schedule file.']),
    contract: 'Address of the campaign',
  },
  sablier_tranched: {
    name: 'Sablier, by the calendar',
    what:
      'Buyers claim once and get a stream that releases each part on its day. It is exactly what ' +
      'was promised.',
    limits:
      `${sablierLimits} One schedule for everybody. Each part is rounded down, and the last one ` +
      'gets the remainder.',
    steps: sablierSteps('Tranched', [
      'Enter each tranche with its percentage and its seconds since the one before, as they are ' +
        'in the schedule file. The start is one second before the first release, since a stream ' +
        'cannot begin with a tranche.',
    ]),
    contract: 'Address of the campaign',
  },
  safe_airdrop: {
    name: 'Safe, app CSV Airdrop',
    what: 'Your Safe sends to every wallet. Buyers do nothing, and you pay the gas of each transfer.',
    limits: '500 transfers a file and transaction. Each file is signed and sent by itself.',
    steps: [
      'Open the Safe that has the tokens, on this chain, and in it the app CSV Airdrop.',
      'Paste one file at a time, unchanged: with one more line, even an empty one, the app ' +
        'refuses it.',
      'Compare the number of transfers and the sum with the list below, sign and send.',
      'Publish it here with the Safe’s address before you send the first one.',
    ],
    contract: 'Address of the Safe',
  },
  safe_transactions: {
    name: 'Safe, Transaction Builder',
    what: 'Your Safe sends to every wallet, with the app that is part of every Safe. You pay the gas.',
    limits: '200 transfers a file and transaction, for gas.',
    steps: [
      'Open the Safe that has the tokens, on this chain, and in it the Transaction Builder.',
      'Drag one file at a time into it. If it warns that the checksum of the file is wrong, stop.',
      'Compare the number of transfers with the list below, simulate, sign and send.',
      'Publish it here with the Safe’s address before you send the first one.',
    ],
    contract: 'Address of the Safe',
  },
  openzeppelin: {
    name: 'OpenZeppelin Merkle tree',
    what: 'For a claim contract of your own, or of another service that reads OpenZeppelin’s trees.',
    limits:
      'The contract must check (address, amount) as OpenZeppelin’s MerkleProof does, and should be audited.',
    steps: [
      'Give the root to the contract, and send it exactly the amount here.',
      'Give the file to the page where buyers claim.',
      'Publish it here with the contract’s address.',
    ],
    contract: 'Address of the claim contract',
  },
  uniswap: {
    name: 'Uniswap’s MerkleDistributor',
    what: 'Buyers claim what is due from a small, well-known contract, here on this site or elsewhere. You deploy it.',
    limits:
      'No claim fee. With MerkleDistributorWithDeadline you can take back what nobody claimed, ' +
      'once the end has passed. Without a deadline nothing comes back.',
    steps: [
      'Deploy MerkleDistributorWithDeadline with the token, the root here, and the end in seconds.',
      'Send exactly the amount here to the contract.',
      'Publish it here with the contract’s address and its end.',
    ],
    contract: 'Address of the distributor',
  },
  hedgey: {
    name: 'Hedgey',
    what: 'Buyers claim from a Hedgey contract.',
    limits:
      'Each wallet only once per campaign. The tree file is for making the campaign with a ' +
      'program.',
    steps: [
      'Make a claim campaign at Hedgey with this token, and upload the CSV as it was downloaded.',
      compareRoot,
      'Publish it here with the address of Hedgey’s contract on this chain and the campaign’s id, which is in the link to it.',
    ],
    contract: 'Address of Hedgey’s contract',
  },
  streamflow: {
    name: 'Streamflow',
    what: 'For tokens on Solana. The wallets of this sale are addresses of EVM chains.',
    limits: 'Cannot be used for this sale.',
    steps: [],
    contract: 'Address',
  },
  plain: {
    name: 'Plain list',
    what: 'Two columns, address and amount, for any other tool that sends tokens. You pay the gas.',
    limits: 'Check what the tool expects before you trust it: units, number of lines, header.',
    steps: [
      'Send to each address exactly its amount, from one wallet.',
      'Publish it here with the address of that wallet before you send the first one.',
    ],
    contract: 'Address of the sending wallet',
  },
}

/** In the order in which they are offered: the ones that fit most sales first. */
export const offeredTools: readonly DistributionTool[] = [
  'sablier_tranched',
  'sablier_instant',
  'sablier_linear',
  'uniswap',
  'safe_airdrop',
  'safe_transactions',
  'hedgey',
  'openzeppelin',
  'plain',
]
