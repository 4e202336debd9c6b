import {
  Cable,
  Download,
  Inbox,
  LayoutDashboard,
  type LucideIcon,
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
import type { Permission } from '#domain/operators/permissions.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'

/** The screens for people who are not signed in, by path. */
export const openScreens = {
  '/login': lazyComponent(() => import('./sign-in/screen.tsx'), 'SignInScreen'),
  '/accept': lazyComponent(() => import('./sign-in/accept-screen.tsx'), 'AcceptScreen'),
}

/** Every screen for people who are signed in, by path. */
export const screens = {
  '/': lazyComponent(() => import('./overview/screen.tsx'), 'OverviewScreen'),
  '/inbox': lazyComponent(() => import('./inbox/screen.tsx'), 'InboxScreen'),
  '/purchases': lazyComponent(() => import('./purchases/screen.tsx'), 'PurchasesScreen'),
  '/purchases/:id': lazyComponent(
    () => import('./purchases/purchase-screen.tsx'),
    'PurchaseScreen',
  ),
  '/refunds': lazyComponent(() => import('./refunds/screen.tsx'), 'RefundsScreen'),
  '/refunds/claims': lazyComponent(() => import('./payouts/claims-screen.tsx'), 'ClaimsScreen'),
  '/refunds/claims/:id': lazyComponent(() => import('./payouts/claim-screen.tsx'), 'ClaimScreen'),
  '/refunds/batches': lazyComponent(() => import('./payouts/batches-screen.tsx'), 'BatchesScreen'),
  '/refunds/batches/:id': lazyComponent(() => import('./payouts/batch-screen.tsx'), 'BatchScreen'),
  '/refunds/transfers': lazyComponent(
    () => import('./payouts/transfers-screen.tsx'),
    'TransfersScreen',
  ),
  '/people': lazyComponent(() => import('./people/screen.tsx'), 'PeopleScreen'),
  '/people/:id': lazyComponent(() => import('./people/person-screen.tsx'), 'PersonScreen'),
  '/sale': lazyComponent(() => import('./sale/screen.tsx'), 'SaleScreen'),
  '/sweeps': lazyComponent(() => import('./sweeps/screen.tsx'), 'SweepsScreen'),
  '/delivery': lazyComponent(() => import('./snapshots/screen.tsx'), 'DeliveryScreen'),
  '/delivery/snapshots/:number': lazyComponent(
    () => import('./snapshots/changes-screen.tsx'),
    'SnapshotChangesScreen',
  ),
  '/distributions': lazyComponent(
    () => import('./distributions/screen.tsx'),
    'DistributionsScreen',
  ),
  '/distributions/:id': lazyComponent(
    () => import('./distributions/distribution-screen.tsx'),
    'DistributionScreen',
  ),
  '/exports': lazyComponent(() => import('./exports/screen.tsx'), 'ExportsScreen'),
  '/approvals': lazyComponent(() => import('./approvals/screen.tsx'), 'ApprovalsScreen'),
  '/approvals/:id': lazyComponent(
    () => import('./approvals/approval-screen.tsx'),
    'ApprovalScreen',
  ),
  '/audit': lazyComponent(() => import('./audit/screen.tsx'), 'AuditScreen'),
  '/operators': lazyComponent(() => import('./operators/screen.tsx'), 'OperatorsScreen'),
  '/connections': lazyComponent(() => import('./connections/screen.tsx'), 'ConnectionsScreen'),
  '/connections/:id': lazyComponent(
    () => import('./connections/endpoint-screen.tsx'),
    'EndpointScreen',
  ),
  '/me': lazyComponent(() => import('./me/screen.tsx'), 'MeScreen'),
}

type Entry = readonly [
  path: keyof typeof screens,
  label: string,
  permission: Permission,
  Icon: LucideIcon,
]

/** The navigation by group; the screens that are not in it are reached from those that are. */
export const navigation: Readonly<Record<string, readonly Entry[]>> = {
  Today: [
    ['/', 'Overview', 'sale.read', LayoutDashboard],
    ['/inbox', 'Inbox', 'sale.read', Inbox],
  ],
  Buyers: [
    ['/purchases', 'Purchases', 'purchases.read', ReceiptText],
    ['/refunds', 'Refunds', 'refunds.read', Undo2],
    ['/people', 'People', 'people.read', Users],
  ],
  Sale: [
    ['/sale', 'Sale', 'sale.read', Rocket],
    ['/sweeps', 'Sweeps', 'sweeps.manage', Vault],
    ['/delivery', 'Delivery', 'delivery.read', Send],
    ['/distributions', 'Distributions', 'delivery.read', PackageOpen],
    ['/exports', 'Exports', 'purchases.export', Download],
  ],
  Control: [
    ['/approvals', 'Approvals', 'approvals.read', Stamp],
    ['/audit', 'Audit log', 'audit.read', ScrollText],
    ['/operators', 'Operators', 'operators.read', UserCog],
    ['/connections', 'Connections', 'connections.manage', Cable],
  ],
}
