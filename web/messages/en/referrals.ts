export const referrals = {
  heading: 'Referrals',
  cardTitle: 'Refer & Earn Rewards',
  offer: (earn: string, spend: string) =>
    `Earn ${earn} per referral when they spend ${spend} or more`,
  noOffer:
    'No reward is on offer right now. Friends who register through your link still count as yours.',
  link: 'Your referral link',
  shareText: (earn: string | null) =>
    earn === null ? 'Use my referral link' : `Use my referral link to get ${earn}`,
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
  stepsTitle: 'In three steps',
  pageSteps: (earn: string, spend: string) => [
    { title: 'You share', text: 'Your link takes a friend to the registration page.' },
    { title: 'They buy', text: `The reward comes once they have spent ${spend}.` },
    { title: 'You earn', text: `${earn} in tokens are credited to you, once for each friend.` },
  ],
  nobodyYet: 'Nobody has registered through your link yet. The first friend will show up here.',
  someCame:
    'A friend counts as soon as they register. You get the reward once they have spent enough.',
  statsFailed: 'Your referrals could not be loaded',
  offerFailed: 'The referral reward could not be loaded',
  linkFailed: 'Your referral link could not be loaded',
}
