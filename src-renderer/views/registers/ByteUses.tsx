import { useMemo, useRef } from 'react'
import { useFrontMachine } from '../../client/machines'
import { frames, useDraw } from '../../frames/frames'
import { usesNow } from '../../frames/places'
import { setText } from '../../widgets/setText'

const INTERVAL_MS = 200

export function ByteUses({ address, visible }: { readonly address: number; readonly visible: boolean }) {
  const standard = useFrontMachine()?.standard ?? 'pal'
  const list = useRef<HTMLParagraphElement>(null)
  const draw = useMemo(() => {
    let last = -Infinity
    return (now: number) => {
      // A machine that stands still is drawn seldom, and this draw may be its last.
      if (now - last < INTERVAL_MS && !frames.stands) return
      last = now
      if (list.current) setText(list.current, usesNow('cpu', address, standard).join('\n'))
    }
  }, [address, standard])
  useDraw(visible, draw)
  return <p ref={list} className="byte-uses" />
}
