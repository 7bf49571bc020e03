// Pages as a browser shows them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "tests/need.h"
#include "tests/runtime_io/process.h"

struct Look {
  int width;
  bool dark;
};

// What page_check.js found when the browser had drawn the page, and the page's text; "" without a browser.
inline std::string shown_page(const TemporaryFolder& folder, const std::string& page, Look how) {
  const std::string check = HEDDLE_SOURCE_DIR "/tests/frontend_bridge/page_check.js";
  std::string browser;
  for (const char* name : {"/usr/bin/chromium", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium-browser",
                           "/usr/bin/google-chrome"}) {
    if (browser.empty() && std::filesystem::exists(name)) browser = name;
  }
  if (browser.empty()) return "";
  // In a frame, since windows of browsers have a least width.
  const std::string checked = read_file(page) + "<script>" + read_file(check) + "</script>";
  const std::string quoted =
      std::regex_replace(std::regex_replace(checked, std::regex("&"), "&amp;"), std::regex("\""), "&quot;");
  write_file(folder.path("frame.html"),
             fmt::format("<!doctype html><meta charset=utf-8><body><iframe style='border:0;width:{}px;height:30000px' "
                         "srcdoc=\"{}\"></iframe>",
                         how.width, quoted));
  return run_process(
             {"/usr/bin/env", "HOME=" + folder.path("home"), browser, "--headless", "--no-sandbox", "--disable-gpu",
              how.dark ? "--blink-settings=preferredColorScheme=0" : "--blink-settings=preferredColorScheme=1",
              "--hide-scrollbars", "--window-size=1400,900", "--dump-dom", "file://" + folder.path("frame.html")},
             "")
      .out;
}

// Looks at it on a wide and on a narrow window, and in the dark, and for what must be there to be read.
inline void look_at_page(const TemporaryFolder& folder, const std::string& page,
                         const std::vector<std::string>& readable) {
  for (Look how : {Look{1280, false}, Look{400, false}, Look{1280, true}}) {
    SCOPED_TRACE(how.dark ? "dark" : "light");
    const std::string dom = shown_page(folder, page, how);
    HEDDLE_NEED(!dom.empty(), "there is no Chromium, so nobody has looked at the page");
    const size_t check = dom.rfind("[width ");
    ASSERT_NE(check, std::string::npos) << dom;
    const std::string found = dom.substr(check, dom.find(']', check) - check);
    EXPECT_TRUE(found.starts_with("[width " + std::to_string(how.width) + ",")) << found;
    EXPECT_TRUE(found.ends_with(": all is well")) << found;
    for (const std::string& words : readable) EXPECT_NE(dom.find(words, check), std::string::npos) << words;
  }
}
