import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'

/** Does once what the chat's address asks for, such as `?print`. */
export function usePageRequest(name: 'print' | 'share', act: () => void): void {
  const [parameters, setParameters] = useSearchParams()
  const latest = useRef(act)
  latest.current = act
  const wanted = parameters.has(name)
  useEffect(() => {
    if (!wanted) return
    // A reload is not to do it again.
    setParameters({}, { replace: true })
    latest.current()
  }, [wanted, setParameters])
}
