/* SPDX-License-Identifier: Apache-2.0
 * The last script: everything is there, so the page begins, and with #check it judges itself.
 */
const started = start();
if (location.hash.startsWith("#check")) started.then(runCheck).catch(error => {
  at("check").textContent = "FAIL  " + error.stack + "\n0 passed, 1 failed";
  at("check").hidden = false;
});
