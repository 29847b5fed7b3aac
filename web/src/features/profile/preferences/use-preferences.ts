import type { Preferences } from '@parley/contracts'
import { useState } from 'react'
import { savePreferences } from '../../../shared/preferences/index.ts'
import { useSession } from '../../../shared/session/index.ts'

/** The signed-in user's preferences: a change is optimistic and reverted when saving fails. */
export function usePreferences(save: (work: Promise<void>) => Promise<boolean>) {
  const kept = useSession((state) => state.user?.preferences)
  const [changing, setChanging] = useState<Partial<Preferences>>({})
  const change = async <Name extends keyof Preferences>(name: Name, value: Preferences[Name]): Promise<boolean> => {
    setChanging((others) => ({ ...others, [name]: value }))
    const done = await save(savePreferences({ [name]: value }))
    setChanging(({ [name]: mine, ...others }) =>
      // A newer change of the same preference is still in flight.
      mine === value ? (others as Partial<Preferences>) : { ...others, [name]: mine },
    )
    return done
  }
  return { preferences: kept && { ...kept, ...changing }, change }
}
