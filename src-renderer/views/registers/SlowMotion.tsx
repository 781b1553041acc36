import { useEffect, useRef } from 'react'
import { perform } from '../../client/actions'
import { ChoiceSelect } from '../../client/ChoiceSelect'
import { useChosen } from '../../client/chosen'
import { attempt } from '../../client/messages'
import { shortcutOf } from '../../client/shortcuts'
import { runSlowly } from '../../client/slowMotion'
import { Button } from '../../widgets/Button'

/** Begins slow motion and ends it, and how fast it is: another choice counts at once. */
export function SlowMotion({ isSlow }: { readonly isSlow: boolean }) {
  const [chosen] = useChosen('registers.slowMotion')
  const applied = useRef(chosen)
  useEffect(() => {
    if (applied.current === chosen) return
    applied.current = chosen
    if (isSlow) attempt(runSlowly)
  }, [chosen, isSlow])
  return (
    <span className="slow-motion">
      <Button
        label={isSlow ? 'Full speed' : 'Slow motion'}
        shortcut={shortcutOf('machine.slowMotion')}
        onClick={() => perform('machine.slowMotion')}
      />
      <ChoiceSelect choice="registers.slowMotion" />
    </span>
  )
}
