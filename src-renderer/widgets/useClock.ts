import { useEffect, useState } from 'react'

/** The time, ms since 1970, renewed every `interval` ms while `ticking`. */
export function useClock(ticking: boolean, interval: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!ticking) return undefined
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [ticking, interval])
  return now
}
