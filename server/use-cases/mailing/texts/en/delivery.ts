/** For mails about tokens on their way to wallets. Amounts come with their symbols. */
export const delivery = {
  labels: { wallet: 'Your wallet', claimBy: 'Claim before', went: 'Went to' },
  open: 'See where your tokens are',
  warning:
    'Nobody from the sale will ever ask for the recovery phrase of your wallet, its secret words, or ' +
    'for coins to unlock anything. Only follow links from your dashboard.',
  signFirst:
    'Before you can claim them there, sign with this wallet on your account page: so far nobody has ' +
    'shown that it is yours. If it cannot sign, write to us.',
  claimable: {
    subject: (tokens: string) => `You can claim ${tokens}`,
    preview: 'Your tokens are ready. You claim them with your wallet.',
    heading: 'Your tokens are ready',
    text:
      'You claim them with the wallet below: a transaction of your own, for which the network takes ' +
      'a fee. Open your dashboard and start from there.',
    toolFee: 'The tool that hands them out may ask for a fee of its own, which is not ours.',
  },
  delivered: {
    subject: (tokens: string) => `${tokens} have arrived`,
    preview: (wallet: string) => `In your wallet ${wallet}.`,
    heading: 'Your tokens have arrived',
    text: 'The network has confirmed it for good.',
    elsewhere: 'Whoever claimed them had them sent to the address below.',
  },
  /** For tokens that a stream releases over time: what is claimed is the stream. */
  streamClaimable: {
    subject: (tokens: string) => `You can claim the stream of your ${tokens}`,
    preview: 'You withdraw the tokens from it as they are released.',
    heading: 'Your stream is ready',
    text:
      'Your tokens come as a Sablier stream. You claim it once with the wallet below, and ' +
      'withdraw the tokens on the Sablier page as they are released. The network takes a fee each ' +
      'time, and Sablier may ask for one of its own; none of it is ours. Open your dashboard and ' +
      'start from there.',
  },
  streamClaimed: {
    subject: (tokens: string) => `The stream of your ${tokens} is claimed`,
    preview: (wallet: string) => `It was made for your wallet ${wallet}.`,
    heading: 'Your stream is claimed',
    text:
      'The network has confirmed it for good. Withdraw the tokens on the Sablier page as they are ' +
      'released; Sablier and the network may take a fee for it. If all of them had been released by ' +
      'then, they went to the wallet at once.',
    elsewhere: 'Whoever claimed it had it sent to the address below.',
  },
  expiring: {
    subject: (tokens: string) => `Claim ${tokens} soon`,
    preview: (deadline: string) => `It ends ${deadline}.`,
    heading: 'You have not claimed your tokens',
    text: (deadline: string) =>
      `Your tokens wait for you, and can be claimed for a limited time: it ends ${deadline}. After ` +
      'that the sale may take back what nobody has claimed.',
  },
}
