import type { ComponentType } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import type { Visibility } from './guards.tsx'

export interface AppRoute {
  path: string
  visibleTo: Visibility
  /** The key of its title in the texts. */
  title: keyof typeof paths | 'notFound'
  Screen: ComponentType<object> & { load?: () => Promise<boolean> }
}

export const notFoundRoute: AppRoute = {
  path: '*',
  visibleTo: 'everybody',
  title: 'notFound',
  Screen: lazyComponent(() => import('#web/screens/not-found.tsx'), 'NotFoundScreen'),
}

function page<Name extends string>(
  title: keyof typeof paths,
  visibleTo: Visibility,
  fetchModule: () => Promise<Readonly<Record<Name, ComponentType<object>>>>,
  name: Name,
): AppRoute {
  const fetchScreen = async (): Promise<{ Screen: ComponentType<object> }> => ({
    Screen: (await fetchModule())[name],
  })
  return { path: paths[title], visibleTo, title, Screen: lazyComponent(fetchScreen, 'Screen') }
}

/** Every page of the application: its name, who may see it, and its screen. */
export const routes: AppRoute[] = [
  page('dashboard', 'logged-in', () => import('#web/screens/dashboard.tsx'), 'DashboardScreen'),
  page('login', 'logged-out', () => import('#web/screens/login.tsx'), 'LoginScreen'),
  page('register', 'logged-out', () => import('#web/screens/register.tsx'), 'RegisterScreen'),
  page(
    'forgotPassword',
    'logged-out',
    () => import('#web/screens/forgot-password.tsx'),
    'ForgotPasswordScreen',
  ),
  page(
    'resetPassword',
    'logged-out',
    () => import('#web/screens/reset-password.tsx'),
    'ResetPasswordScreen',
  ),
  page(
    'verifyEmail',
    'everybody',
    () => import('#web/screens/verify-email.tsx'),
    'VerifyEmailScreen',
  ),
  page(
    'cancelWallet',
    'everybody',
    () => import('#web/screens/cancel-wallet.tsx'),
    'CancelWalletScreen',
  ),
  page('account', 'logged-in', () => import('#web/screens/account.tsx'), 'AccountScreen'),
  page('buy', 'logged-in', () => import('#web/screens/buy.tsx'), 'BuyScreen'),
  page('promotions', 'logged-in', () => import('#web/screens/promotions.tsx'), 'PromotionsScreen'),
  page('referrals', 'logged-in', () => import('#web/screens/referrals.tsx'), 'ReferralsScreen'),
  page('terms', 'everybody', () => import('#web/screens/terms.tsx'), 'TermsScreen'),
  page(
    'privacyPolicy',
    'everybody',
    () => import('#web/screens/privacy-policy.tsx'),
    'PrivacyPolicyScreen',
  ),
  page('info', 'everybody', () => import('#web/screens/info.tsx'), 'InfoScreen'),
  page('proof', 'everybody', () => import('#web/screens/proof.tsx'), 'ProofScreen'),
  page('sandbox', 'everybody', () => import('#web/screens/sandbox.tsx'), 'SandboxScreen'),
  notFoundRoute,
]

/** Fetches the code of the page at a path. Resolves when it is loaded, or could not be. */
export async function loadPage(path: string): Promise<void> {
  const bare = path.length > 1 ? path.replace(/\/$/, '') : path
  const { Screen } = routes.find((route) => route.path === bare) ?? notFoundRoute
  await Screen.load?.()
}
