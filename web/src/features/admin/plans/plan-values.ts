import type { AdminPlan } from '@parley/contracts'

/** Form values of a plan: numbers as typed, the window in seconds. */
export interface PlanValues {
  name: string
  description: string
  monthlyCredits: string
  requestsPerWindow: string
  windowSeconds: string
}

export const newPlanValues: PlanValues = {
  name: '',
  description: '',
  monthlyCredits: '100',
  requestsPerWindow: '60',
  windowSeconds: '60',
}

export const valuesOf = (plan: AdminPlan): PlanValues => ({
  name: plan.name,
  description: plan.description,
  monthlyCredits: String(plan.monthlyCredits),
  requestsPerWindow: String(plan.requestsPerWindow),
  windowSeconds: String(plan.windowMs / 1_000),
})

export const planOf = ({ name, description, monthlyCredits, requestsPerWindow, windowSeconds }: PlanValues) => ({
  name,
  description,
  monthlyCredits: Number(monthlyCredits),
  requestsPerWindow: Number(requestsPerWindow),
  windowMs: Math.round(Number(windowSeconds) * 1_000),
})

const bounds = {
  monthlyCredits: [0, 1_000_000_000],
  requestsPerWindow: [1, 1_000_000],
  windowSeconds: [1, 86_400],
} as const

/** Fields that the server would reject. */
export function faultsOf(values: PlanValues): ('name' | keyof typeof bounds)[] {
  const numbers = (Object.entries(bounds) as [keyof typeof bounds, readonly [number, number]][])
    .filter(([name, [least, most]]) => {
      const value = values[name].trim() === '' ? Number.NaN : Number(values[name])
      return !Number.isInteger(value) || value < least || value > most
    })
    .map(([name]) => name)
  return values.name.trim() === '' ? ['name', ...numbers] : numbers
}
