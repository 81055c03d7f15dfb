//! Tells the linker that Node-API's symbols come from the process that loads the addon.

fn main() {
    napi_build::setup();
}
