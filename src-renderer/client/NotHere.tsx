import { Button } from '../widgets/Button'
import { EmptyState } from '../widgets/EmptyState'
import { perform } from './actions'
import { useFrontMachine } from './machines'
import { shortcutOf } from './shortcuts'

interface NotHereProps {
  readonly what: string
  readonly why: string
}

export function NotHere({ what, why }: NotHereProps) {
  const title = useFrontMachine()?.title ?? 'this machine'
  return (
    <div className="view-content">
      <EmptyState
        title={`No ${what} from ${title}`}
        action={
          <Button
            label="Another machine…"
            shortcut={shortcutOf('machine.choose')}
            onClick={() => perform('machine.choose')}
          />
        }
      >
        <p>{why}</p>
      </EmptyState>
    </div>
  )
}
