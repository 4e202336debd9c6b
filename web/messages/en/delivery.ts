import type { DeliveryState } from '#domain/delivery/distribution.ts'

/** Texts of how bought tokens come to the buyer's wallet. Amounts come with their symbols. */
export const delivery = {
  title: 'Where your tokens are',
  proof: 'Check the proof',
  failed: 'The state of your tokens could not be loaded',
  states: {
    unassigned: 'Wallet missing',
    assigned: 'Waiting',
    published: 'On its way',
    claimed: 'Being confirmed',
    delivered: 'Delivered',
    swept: 'Taken back',
  } satisfies Record<DeliveryState, string>,
  toClaim: 'Ready to claim',
  expired: 'Time is up',
  waiting: (tokens: string) => `${tokens} not handed out yet`,
  steps: (tokens: string) => `How ${tokens} reach you`,
  wallet: 'Your wallet',
  walletMissing: 'Choose where your tokens should go. Without a wallet they cannot be sent.',
  walletMissingFrozen:
    'The list was closed before you had a wallet. Set one now: your tokens come with its next ' +
    'correction.',
  chooseWallet: 'Choose a wallet',
  handedOut: 'Handed out by the sale',
  notHandedOut: 'This comes after the sale, once its tokens exist and the list is closed.',
  frozen: 'The list is closed, with this wallet in it. What is released comes next.',
  frozenWithout:
    'The list was closed before this wallet was set. Your tokens come with its next correction.',
  claimStep: 'Claimed by you',
  sendStep: 'Sent to your wallet',
  sendWait: 'There is nothing for you to do: we send them.',
  claimWait: 'You claim them with your wallet. The network takes a fee.',
  claimWaitElsewhere:
    'You claim them with your wallet, through the tool that hands them out. The network takes a fee, ' +
    'and the tool may charge one of its own.',
  claimBefore: (date: string) => `Possible until ${date}.`,
  claimOver: (date: string) =>
    `The time to claim ended on ${date}. Ask us whether it is still possible.`,
  sweptText:
    'We have taken back what nobody had claimed. We still owe you these tokens: write to us to get ' +
    'them.',
  deliveredStep: 'Delivered',
  confirmations: (count: number, required: number) =>
    `${count} of ${required} confirmations of the network`,
  deliveredOn: (date: string) => `Confirmed for good. Arrived on ${date}.`,
  /** Of tokens that the tool itself releases over time, which have not arrived once it began. */
  stream: {
    toClaim: 'Stream ready to claim',
    delivered: 'Claimed as a stream',
    claimWait:
      'You claim a stream with your wallet, on Sablier’s page. The network takes a fee, and ' +
      'Sablier may charge one of its own.',
    claimStep: 'Stream claimed by you',
    deliveredStep: 'Confirmed: the stream is yours',
    deliveredOn: (date: string) =>
      `Confirmed for good on ${date}. Withdraw the tokens on Sablier’s page as they are ` +
      'released. If all of them had been released by then, they went to the wallet at once.',
    fee: 'Sablier and the network may take a fee for each withdrawal. No fee is ours.',
    elsewhere: (address: string) => `It went to ${address}, as requested by whoever claimed it.`,
    page: 'Open Sablier’s page',
  },
  transaction: 'Transaction',
  elsewhere: (address: string) => `They went to ${address}, as requested by whoever claimed them.`,
  shared: (amount: string) => `This wallet gets ${amount} in all: another account uses it too.`,
  short: (arrived: string, amount: string) =>
    `${arrived} of ${amount} have arrived. The rest was kept by the token’s contract, or is still to come.`,
  claimPage: 'Open the claim page',
  signFirst: (wallet: string) =>
    `To claim them here, first sign with your wallet ${wallet}: so far nobody has shown that it is ` +
    'yours. If it cannot sign, write to us before the time to claim ends.',
  sign: 'Sign with the wallet',
  claimWith: (wallet: string) => `Claim with ${wallet}`,
  noWallet: 'To claim here, open this page in a browser that has a wallet.',
  claimHint: (address: string) =>
    `The tokens go to your wallet ${address}, whichever account pays the fee.`,
  claimByHand: 'What you need to claim them elsewhere',
  claimSteps: {
    account: (wallet: string) => `Open ${wallet} and choose the account that pays the fee.`,
    network: (wallet: string) => `Allow ${wallet} to switch to the network of the token.`,
    checking: () => 'Checking once more that it is still to be claimed.',
    confirming: (wallet: string) => `Confirm the claim in ${wallet}.`,
  },
  claimRefusals: {
    rejected: (wallet: string) => `You declined in ${wallet}. Nothing was sent.`,
    locked: (wallet: string) =>
      `${wallet} shares no account with this page. Unlock it, allow this page to see an account, and ` +
      'try again.',
    busy: (wallet: string) =>
      `A request is already open in ${wallet}. Open the wallet, answer it, and try again.`,
    unknownChain: (wallet: string) =>
      `${wallet} does not know the network of the token. Add the network in the wallet and try again.`,
    wrongChain: (wallet: string) =>
      `${wallet} is still on another network. Switch it in the wallet and try again.`,
    insufficient: (wallet: string) =>
      `The account in ${wallet} cannot pay the network fee. Choose another one or top it up.`,
    disconnected: (wallet: string) =>
      `${wallet} has no connection to its network. Try again in a moment.`,
    timeout: (wallet: string) =>
      `${wallet} did not answer. Check there before you try again: what you confirm is still sent.`,
    changed: () => 'Your claim has just changed, so nothing was sent. Look at it and try again.',
    notDue: () => 'This can no longer be claimed here, so nothing was sent.',
    unreachable: () =>
      'We could not check your claim, so nothing was sent. Check your connection and try again.',
    failed: (wallet: string) =>
      `${wallet} reports a problem. Check there whether the claim was sent before you try again.`,
  },
  claimSent: 'Sent. This page shows the claim as soon as the network does.',
  claimAgain: 'It was cancelled in my wallet: claim again',
}
