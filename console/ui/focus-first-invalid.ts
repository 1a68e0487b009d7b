/** After a refused submit: brings the first control with a mistake into view, and its error to a screen reader. */
export function focusFirstInvalid(form: ParentNode): void {
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}
