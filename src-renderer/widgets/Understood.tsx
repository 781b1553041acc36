export const Understood = ({ id, text }: { readonly id: string; readonly text: string }) => (
  <output id={id} className="understood data" hidden={text === ''}>
    {text}
  </output>
)
