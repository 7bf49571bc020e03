// A program that speaks Futhark's server protocol, on pipes.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace heddle::campaign {

struct Answer {
  enum Kind { Ok, Failure, Dead } kind = Dead;
  std::string text;  // the words of a failure
  std::string log;   // what else was said
};

class Server {
 public:
  // What the program writes to stderr goes to the file `log`. It has so many seconds for each answer.
  Server(std::vector<std::string> command, std::vector<std::string> environment, std::string log, int seconds = 600);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Starts the program if it is not running. One that does not answer in time is ended.
  Answer say(const std::string& command);

 private:
  void start();
  void stop();
  Answer answer();

  std::vector<std::string> command_, environment_;
  std::string log_, unread_;
  int milliseconds_;
  pid_t process_ = -1;
  int to_ = -1, from_ = -1;
};

}  // namespace heddle::campaign
