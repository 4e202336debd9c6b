import type { LucideIcon } from 'lucide-react'
import {
  Cable,
  Download,
  Inbox,
  LayoutDashboard,
  PackageOpen,
  ReceiptText,
  Rocket,
  ScrollText,
  Send,
  Stamp,
  Undo2,
  UserCog,
  Users,
  Vault,
} from 'lucide-react'
import type { ComponentType } from 'react'
import type { Permission } from '#domain/operators/permissions.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

export interface ConsoleScreen {
  path: string
  permission: Permission
  /** Its entry in the navigation; left out for a screen that is reached from another one. */
  entry?: { label: string; group: ScreenGroup; Icon: LucideIcon }
  Screen: ComponentType<object>
}

export const screenGroups = ['Today', 'Buyers', 'Sale', 'Control'] as const
export type ScreenGroup = (typeof screenGroups)[number]

/** Every screen for people who are signed in, in the order of the navigation. */
export const screens: readonly ConsoleScreen[] = [
  {
    path: '/',
    permission: 'sale.read',
    entry: { label: 'Overview', group: 'Today', Icon: LayoutDashboard },
    Screen: lazyComponent(async () => (await import('./overview/screen.tsx')).OverviewScreen),
  },
  {
    path: '/inbox',
    permission: 'sale.read',
    entry: { label: 'Inbox', group: 'Today', Icon: Inbox },
    Screen: lazyComponent(async () => (await import('./inbox/screen.tsx')).InboxScreen),
  },
  {
    path: '/purchases',
    permission: 'purchases.read',
    entry: { label: 'Purchases', group: 'Buyers', Icon: ReceiptText },
    Screen: lazyComponent(async () => (await import('./purchases/screen.tsx')).PurchasesScreen),
  },
  {
    path: '/purchases/:id',
    permission: 'purchases.read',
    Screen: lazyComponent(
      async () => (await import('./purchases/purchase-screen.tsx')).PurchaseScreen,
    ),
  },
  {
    path: '/refunds',
    permission: 'refunds.read',
    entry: { label: 'Refunds', group: 'Buyers', Icon: Undo2 },
    Screen: lazyComponent(async () => (await import('./refunds/screen.tsx')).RefundsScreen),
  },
  {
    path: '/refunds/claims',
    permission: 'refunds.read',
    Screen: lazyComponent(async () => (await import('./payouts/claims-screen.tsx')).ClaimsScreen),
  },
  {
    path: '/refunds/claims/:id',
    permission: 'refunds.read',
    Screen: lazyComponent(async () => (await import('./payouts/claim-screen.tsx')).ClaimScreen),
  },
  {
    path: '/refunds/batches',
    permission: 'refunds.read',
    Screen: lazyComponent(async () => (await import('./payouts/batches-screen.tsx')).BatchesScreen),
  },
  {
    path: '/refunds/batches/:id',
    permission: 'refunds.read',
    Screen: lazyComponent(async () => (await import('./payouts/batch-screen.tsx')).BatchScreen),
  },
  {
    path: '/refunds/transfers',
    permission: 'refunds.read',
    Screen: lazyComponent(
      async () => (await import('./payouts/transfers-screen.tsx')).TransfersScreen,
    ),
  },
  {
    path: '/people',
    permission: 'people.read',
    entry: { label: 'People', group: 'Buyers', Icon: Users },
    Screen: lazyComponent(async () => (await import('./people/screen.tsx')).PeopleScreen),
  },
  {
    path: '/people/:id',
    permission: 'people.read',
    Screen: lazyComponent(async () => (await import('./people/person-screen.tsx')).PersonScreen),
  },
  {
    path: '/sale',
    permission: 'sale.read',
    entry: { label: 'Sale', group: 'Sale', Icon: Rocket },
    Screen: lazyComponent(async () => (await import('./sale/screen.tsx')).SaleScreen),
  },
  {
    path: '/sweeps',
    permission: 'sweeps.manage',
    entry: { label: 'Sweeps', group: 'Sale', Icon: Vault },
    Screen: lazyComponent(async () => (await import('./sweeps/screen.tsx')).SweepsScreen),
  },
  {
    path: '/delivery',
    permission: 'delivery.read',
    entry: { label: 'Delivery', group: 'Sale', Icon: Send },
    Screen: lazyComponent(async () => (await import('./snapshots/screen.tsx')).DeliveryScreen),
  },
  {
    path: '/delivery/snapshots/:number',
    permission: 'delivery.read',
    Screen: lazyComponent(
      async () => (await import('./snapshots/changes-screen.tsx')).SnapshotChangesScreen,
    ),
  },
  {
    path: '/distributions',
    permission: 'delivery.read',
    entry: { label: 'Distributions', group: 'Sale', Icon: PackageOpen },
    Screen: lazyComponent(
      async () => (await import('./distributions/screen.tsx')).DistributionsScreen,
    ),
  },
  {
    path: '/distributions/:id',
    permission: 'delivery.read',
    Screen: lazyComponent(
      async () => (await import('./distributions/distribution-screen.tsx')).DistributionScreen,
    ),
  },
  {
    path: '/exports',
    permission: 'purchases.export',
    entry: { label: 'Exports', group: 'Sale', Icon: Download },
    Screen: lazyComponent(async () => (await import('./exports/screen.tsx')).ExportsScreen),
  },
  {
    path: '/approvals',
    permission: 'approvals.read',
    entry: { label: 'Approvals', group: 'Control', Icon: Stamp },
    Screen: lazyComponent(async () => (await import('./approvals/screen.tsx')).ApprovalsScreen),
  },
  {
    path: '/approvals/:id',
    permission: 'approvals.read',
    Screen: lazyComponent(
      async () => (await import('./approvals/approval-screen.tsx')).ApprovalScreen,
    ),
  },
  {
    path: '/audit',
    permission: 'audit.read',
    entry: { label: 'Audit log', group: 'Control', Icon: ScrollText },
    Screen: lazyComponent(async () => (await import('./audit/screen.tsx')).AuditScreen),
  },
  {
    path: '/operators',
    permission: 'operators.read',
    entry: { label: 'Operators', group: 'Control', Icon: UserCog },
    Screen: lazyComponent(async () => (await import('./operators/screen.tsx')).OperatorsScreen),
  },
  {
    path: '/connections',
    permission: 'connections.manage',
    entry: { label: 'Connections', group: 'Control', Icon: Cable },
    Screen: lazyComponent(async () => (await import('./connections/screen.tsx')).ConnectionsScreen),
  },
  {
    path: '/connections/:id',
    permission: 'connections.manage',
    Screen: lazyComponent(
      async () => (await import('./connections/endpoint-screen.tsx')).EndpointScreen,
    ),
  },
  {
    path: '/me',
    permission: 'own.account',
    Screen: lazyComponent(async () => (await import('./me/screen.tsx')).MeScreen),
  },
]

/** The screens for people who are not signed in. */
export const openScreens: readonly { path: string; Screen: ComponentType<object> }[] = [
  {
    path: '/login',
    Screen: lazyComponent(async () => (await import('./sign-in/screen.tsx')).SignInScreen),
  },
  {
    path: '/accept',
    Screen: lazyComponent(async () => (await import('./sign-in/accept-screen.tsx')).AcceptScreen),
  },
]
