import type { ComponentType } from 'react'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { paths } from '#web/lib/paths.ts'
import type { Messages } from '#web/messages/en.ts'
import { NotFoundScreen } from '#web/screens/not-found.tsx'
import type { Visibility } from './guards.tsx'

type Screen = ComponentType<object> & { load?: () => Promise<void> }

export interface AppRoute {
  path: string
  visibleTo: Visibility
  title: keyof Messages['layout']['pages']
  Screen: Screen
}

export const notFoundRoute: AppRoute = {
  path: '*',
  visibleTo: 'everybody',
  title: 'notFound',
  Screen: NotFoundScreen,
}

/** Every page of the application: its address, who may see it, its title and its screen. */
export const routes: AppRoute[] = [
  {
    path: paths.dashboard,
    visibleTo: 'logged-in',
    title: 'dashboard',
    Screen: lazyComponent(async () => (await import('#web/screens/dashboard.tsx')).DashboardScreen),
  },
  {
    path: paths.login,
    visibleTo: 'logged-out',
    title: 'login',
    Screen: lazyComponent(async () => (await import('#web/screens/login.tsx')).LoginScreen),
  },
  {
    path: paths.register,
    visibleTo: 'logged-out',
    title: 'register',
    Screen: lazyComponent(async () => (await import('#web/screens/register.tsx')).RegisterScreen),
  },
  {
    path: paths.forgotPassword,
    visibleTo: 'logged-out',
    title: 'forgotPassword',
    Screen: lazyComponent(
      async () => (await import('#web/screens/forgot-password.tsx')).ForgotPasswordScreen,
    ),
  },
  {
    path: paths.resetPassword,
    visibleTo: 'logged-out',
    title: 'resetPassword',
    Screen: lazyComponent(
      async () => (await import('#web/screens/reset-password.tsx')).ResetPasswordScreen,
    ),
  },
  {
    path: paths.verifyEmail,
    visibleTo: 'everybody',
    title: 'verifyEmail',
    Screen: lazyComponent(
      async () => (await import('#web/screens/verify-email.tsx')).VerifyEmailScreen,
    ),
  },
  {
    path: paths.account,
    visibleTo: 'logged-in',
    title: 'account',
    Screen: lazyComponent(async () => (await import('#web/screens/account.tsx')).AccountScreen),
  },
  {
    path: paths.buy,
    visibleTo: 'logged-in',
    title: 'buy',
    Screen: lazyComponent(async () => (await import('#web/screens/buy.tsx')).BuyScreen),
  },
  {
    path: paths.promotions,
    visibleTo: 'logged-in',
    title: 'promotions',
    Screen: lazyComponent(
      async () => (await import('#web/screens/promotions.tsx')).PromotionsScreen,
    ),
  },
  {
    path: paths.referrals,
    visibleTo: 'logged-in',
    title: 'referrals',
    Screen: lazyComponent(async () => (await import('#web/screens/referrals.tsx')).ReferralsScreen),
  },
  {
    path: paths.terms,
    visibleTo: 'everybody',
    title: 'terms',
    Screen: lazyComponent(async () => (await import('#web/screens/terms.tsx')).TermsScreen),
  },
  {
    path: paths.privacyPolicy,
    visibleTo: 'everybody',
    title: 'privacyPolicy',
    Screen: lazyComponent(
      async () => (await import('#web/screens/privacy-policy.tsx')).PrivacyPolicyScreen,
    ),
  },
  {
    path: paths.info,
    visibleTo: 'everybody',
    title: 'info',
    Screen: lazyComponent(async () => (await import('#web/screens/info.tsx')).InfoScreen),
  },
  {
    path: paths.sandbox,
    visibleTo: 'everybody',
    title: 'sandbox',
    Screen: lazyComponent(async () => (await import('#web/screens/sandbox.tsx')).SandboxScreen),
  },
  ...galleryRoute(),
  notFoundRoute,
]

/** The ui kit on one page, for those who develop it. */
function galleryRoute(): AppRoute[] {
  if (!import.meta.env.DEV) return []
  const Screen = lazyComponent(async () => (await import('#web/ui/gallery.tsx')).Gallery)
  return [{ path: paths.gallery, visibleTo: 'everybody', title: 'gallery', Screen }]
}

/** Fetches the code of the page at a path. Resolves when it is there, or could not be had. */
export async function loadPage(path: string): Promise<void> {
  const bare = path.length > 1 ? path.replace(/\/$/, '') : path
  await routes.find((route) => route.path === bare)?.Screen.load?.()
}
