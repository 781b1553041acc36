import { EmptyState } from '../widgets/EmptyState'
import { useFrontMachine } from './machines'

interface NotHereProps {
  /** What is missing, as in “No picture from …”. */
  readonly what: string
  /** The machine's own sentence. */
  readonly why: string
}

/** In the place of a view that the machine in front has nothing for. */
export function NotHere({ what, why }: NotHereProps) {
  const title = useFrontMachine()?.title ?? 'this machine'
  return (
    <div className="view-content">
      <EmptyState title={`No ${what} from ${title}`}>
        <p>{why}</p>
      </EmptyState>
    </div>
  )
}
