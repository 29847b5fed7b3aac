import { useEffect, useState } from 'react'
import { secondsUntilResend } from './wait.ts'

/** Counts down the seconds until another mail may be requested; `sentAt` is the time of the last one in milliseconds since 1970. */
export function useSecondsLeft(sentAt: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const look = () => {
      const time = Date.now()
      setNow(time)
      if (secondsUntilResend(sentAt, time) === 0) clearInterval(timer)
    }
    const timer = setInterval(look, 500)
    look()
    return () => clearInterval(timer)
  }, [sentAt])
  return secondsUntilResend(sentAt, now)
}
