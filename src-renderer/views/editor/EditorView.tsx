import { EmptyState } from '../../widgets/EmptyState'

export function EditorView() {
  return (
    <div className="view-content" role="group" tabIndex={0} data-panel-focus aria-label="Editor">
      <EmptyState title="Editor">
        <p>Nothing is here yet.</p>
      </EmptyState>
    </div>
  )
}
