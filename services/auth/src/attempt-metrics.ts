import type { Logger, Registry } from '@parley/kit'
import { Counter } from 'prom-client'
import type { AttemptBudget } from './store/sessions/attempt-store.ts'

/** The kinds of secrets that can be guessed. */
type Guessed = 'password' | 'code'
type Budgets = readonly Pick<AttemptBudget, 'key'>[]
export type AttemptMetrics = ReturnType<typeof createAttemptMetrics>

/** Lets operators see guessing: counters to alert on, and a line in the log for every budget that is exhausted. */
export function createAttemptMetrics(registry: Registry, log: Logger) {
  const counter = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers: [registry] })
  const wrong = counter('auth_wrong_guesses_total', 'Wrong passwords and codes', 'of')
  const refused = counter('auth_refused_guesses_total', 'Passwords and codes that were not judged', 'of')
  const exhausted = counter('auth_spent_budgets_total', 'Budgets of attempts that were exhausted', 'budget')
  const usedUp = (budgets: Budgets): void => {
    for (const { key } of budgets) {
      exhausted.inc({ budget: kindOf(key) })
      log.warn({ budget: key }, 'a budget of attempts is exhausted: somebody may be guessing')
    }
  }
  return {
    /** A guess was judged and wrong. @param last budgets whose last attempt it took */
    wrong(of: Guessed, last: Budgets): void {
      wrong.inc({ of })
      usedUp(last)
    },
    /** A guess was refused unjudged. */
    refused: (of: Guessed): void => refused.inc({ of }),
    /** Budgets of other things than guesses, such as mails, can be exhausted, too. */
    usedUp,
  }
}

const kindOf = (key: string): string => key.slice(0, key.indexOf(':'))
