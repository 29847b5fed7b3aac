import type { AdminUser } from '@parley/contracts'
import {
  Ban,
  CircleDollarSign,
  Coins,
  Eye,
  LogOut,
  MailCheck,
  ShieldMinus,
  ShieldPlus,
  UserCheck,
  Wallet,
} from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { MenuItem, MenuSeparator } from '../../../shared/ui/index.ts'
import type { UserActs } from './use-user-acts.ts'
import { canChangeRights, canViewAs } from './user-rights.ts'

const quickGrants = [10, 50] as const

interface Props {
  readonly user: AdminUser
  readonly acts: UserActs
  /** Billing is available: plan and credits can be changed. */
  readonly isBilled: boolean
}

export function UserMenu({ user, acts, isBilled }: Props) {
  const { t } = useText()
  const actor = useSession((state) => state.user)
  if (!actor) return null
  return (
    <>
      {quickGrants.map((amount) => (
        <MenuItem key={amount} icon={<Coins />} disabled={!isBilled} onSelect={() => void acts.grant([user], amount)}>
          {t('people.action.quickGrant', { amount })}
        </MenuItem>
      ))}
      <MenuItem
        icon={<CircleDollarSign />}
        disabled={!isBilled}
        onSelect={() => acts.ask({ question: 'grant', users: [user] })}
      >
        {t('people.action.grant')}
      </MenuItem>
      <MenuItem icon={<Wallet />} disabled={!isBilled} onSelect={() => acts.ask({ question: 'plan', users: [user] })}>
        {t('people.action.plan')}
      </MenuItem>
      <MenuSeparator />
      {canViewAs(actor, user) && (
        <MenuItem icon={<Eye />} onSelect={() => void acts.viewAs(user)}>
          {t('people.action.viewAs')}
        </MenuItem>
      )}
      {!user.emailVerified && (
        <MenuItem icon={<MailCheck />} onSelect={() => void acts.resend(user)}>
          {t('people.action.resend')}
        </MenuItem>
      )}
      <MenuItem
        icon={<LogOut className="rtl:-scale-x-100" />}
        onSelect={() => acts.ask({ question: 'sessions', users: [user] })}
      >
        {t('people.action.sessions')}
      </MenuItem>
      {canChangeRights(actor, user) && (
        <MenuItem
          icon={user.isAdmin ? <ShieldMinus /> : <ShieldPlus />}
          onSelect={() => void acts.setAdmin(user, !user.isAdmin)}
        >
          {t(user.isAdmin ? 'people.action.removeAdmin' : 'people.action.makeAdmin')}
        </MenuItem>
      )}
      {canChangeRights(actor, user) && (
        <MenuItem
          icon={user.banned ? <UserCheck /> : <Ban />}
          danger={!user.banned}
          onSelect={() =>
            user.banned ? void acts.setBanned([user], false) : acts.ask({ question: 'ban', users: [user] })
          }
        >
          {t(user.banned ? 'people.action.unban' : 'people.action.ban')}
        </MenuItem>
      )}
    </>
  )
}
