/** What is said when the browser does not let a page copy. */
export const notCopied = 'The browser did not copy it: select the text and copy it yourself.'
