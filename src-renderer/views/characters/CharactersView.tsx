import { EmptyState } from '../../widgets/EmptyState'

export function CharactersView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Characters">
      <EmptyState title="Characters">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
