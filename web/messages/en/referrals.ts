export const referrals = {
  heading: 'Referrals',
  cardTitle: 'Refer & Earn Rewards',
  offer: (earn: string, spend: string) =>
    `Earn ${earn} per referral when they spend ${spend} or more`,
  noOffer:
    'Referrals earn nothing right now. Whoever registers by your link still counts as yours.',
  link: 'Your referral link',
  shareText: (earn: string) => `Use my referral link to get ${earn}`,
  facebook: 'Share',
  twitter: 'Tweet',
  telegram: 'Post',
  native: 'Share with another app',
  on: (action: string, network: string) => `${action} on ${network}`,
  statsTitle: 'Referred Friends',
  referred: 'Referred',
  earned: 'Earned',
  howTitle: 'How it Works',
  steps: (earn: string, spend: string) => [
    { title: 'Share Link', text: 'Send your referral link to your friends.' },
    { title: 'Top Up', text: `A friend registers through it and spends ${spend} or more.` },
    { title: `Earn ${earn}`, text: 'It is credited to you in tokens, once for each friend.' },
  ],
  statsFailed: 'Your referrals could not be loaded',
  offerFailed: 'What a referral earns could not be loaded',
  linkFailed: 'Your referral link could not be loaded',
}

export const promotions = {
  heading: 'Promotions',
  alt: (key: string) => `Buy: ${key.replaceAll('-', ' ')}`,
  empty: 'There is no promotion right now',
  emptyText: 'The price of the stage applies to every purchase.',
  emptyAction: 'Buy tokens',
  failed: 'The promotions could not be loaded',
}
