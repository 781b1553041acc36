import { EmptyState } from '../../widgets/EmptyState'

export function ArtifactsView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Gallery">
      <EmptyState title="Gallery">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
