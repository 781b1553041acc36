import { EmptyState } from '../../widgets/EmptyState'

export function StudioView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Picture studio">
      <EmptyState title="Picture studio">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
