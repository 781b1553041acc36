import { Button } from '../widgets/Button'
import { EmptyState } from '../widgets/EmptyState'
import { perform } from './actions'
import { useFrontMachine } from './machines'
import { shortcutOf } from './shortcuts'

interface NotHereProps {
  /** What is missing, as in “No picture from …”. */
  readonly what: string
  /** The machine's own sentence. */
  readonly why: string
}

/** In the place of a view that the machine in front has nothing for. Without a picture: none will come, and several may stand side by side. */
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
