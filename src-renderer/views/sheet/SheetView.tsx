import { EmptyState } from '../../widgets/EmptyState'

export function SheetView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Sheet">
      <EmptyState title="Sheet">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
