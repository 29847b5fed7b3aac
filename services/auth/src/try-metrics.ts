import type { Logger, Registry } from '@parley/kit'
import { Counter } from 'prom-client'
import type { TryBudget } from './store/try-store.ts'

/** What may be guessed at. */
export type Guessed = 'password' | 'code'

/** Lets operators see that somebody is guessing: counters to watch, and a line in the log for every budget that is used up. */
export interface TryAlarm {
  /** A guess was judged and wrong. @param usedUp budgets whose last try it took */
  wrong(of: Guessed, usedUp: readonly Pick<TryBudget, 'key'>[]): void
  /** A guess was refused unjudged. */
  refused(of: Guessed): void
  /** Budgets of something else than guesses are used up, such as that of mails. */
  usedUp(budgets: readonly Pick<TryBudget, 'key'>[]): void
}

/** An alarm that counts in the service's registry. */
export function createTryAlarm(registry: Registry, log: Logger): TryAlarm {
  const registers = [registry]
  const wrong = new Counter({
    ...{ name: 'auth_wrong_guesses_total', help: 'Wrong passwords and codes', labelNames: ['of'], registers },
  })
  const refused = new Counter({
    ...{
      name: 'auth_refused_guesses_total',
      help: 'Passwords and codes that were not judged',
      labelNames: ['of'],
      registers,
    },
  })
  const spent = new Counter({
    ...{
      name: 'auth_spent_budgets_total',
      help: 'Budgets of tries that were used up',
      labelNames: ['budget'],
      registers,
    },
  })
  const usedUp = (budgets: readonly Pick<TryBudget, 'key'>[]): void => {
    for (const { key } of budgets) {
      spent.inc({ budget: kindOf(key) })
      log.warn({ budget: key }, 'a budget of tries is used up: somebody may be guessing')
    }
  }
  return {
    wrong(of, last) {
      wrong.inc({ of })
      usedUp(last)
    },
    refused: (of) => refused.inc({ of }),
    usedUp,
  }
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(':'))
