import type { Logger, Registry } from '@parley/kit'
import { Counter } from 'prom-client'
import type { AttemptBudget } from './store/sessions/attempt-store.ts'

/** The kinds of secrets that can be guessed. */
export type Guessed = 'password' | 'code'

/** Lets operators see guessing: counters to alert on, and a line in the log for every budget that is exhausted. */
export interface AttemptMetrics {
  /** A guess was judged and wrong. @param usedUp budgets whose last attempt it took */
  wrong(of: Guessed, usedUp: readonly Pick<AttemptBudget, 'key'>[]): void
  /** A guess was refused unjudged. */
  refused(of: Guessed): void
  /** Budgets of other things than guesses, such as mails, can be exhausted, too. */
  usedUp(budgets: readonly Pick<AttemptBudget, 'key'>[]): void
}

/** Counts in the service's registry. */
export function createAttemptMetrics(registry: Registry, log: Logger): AttemptMetrics {
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] })
  const wrong = counter('auth_wrong_guesses_total', 'Wrong passwords and codes', 'of')
  const refused = counter('auth_refused_guesses_total', 'Passwords and codes that were not judged', 'of')
  const exhausted = counter('auth_spent_budgets_total', 'Budgets of attempts that were exhausted', 'budget')
  const usedUp = (budgets: readonly Pick<AttemptBudget, 'key'>[]): void => {
    for (const { key } of budgets) {
      exhausted.inc({ budget: kindOf(key) })
      log.warn({ budget: key }, 'a budget of attempts is exhausted: somebody may be guessing')
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
