// Reloads the page when the server has another build of it. The connection is
// restored by the browser after the server was restarted.
let version;
new EventSource("reload").onmessage = ({ data }) => {
  if (version !== undefined && version !== data) location.reload();
  version = data;
};
